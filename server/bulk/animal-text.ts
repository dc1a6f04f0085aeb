import type { Pet } from '../store/pet-store.ts'
import { petFields } from '../store/pet-store.ts'
import type { Format } from './format.ts'

/** How animals are written in a format. */
export interface WriteAnimals {
  /** What stands before the first one. */
  readonly head: string
  readonly line: (animal: Pet) => string
}

/** How animals are written, so that reading gives every field back as it was. */
export const animalTexts: Readonly<Record<Format, WriteAnimals>> = {
  ndjson: { head: '', line: (animal) => `${JSON.stringify(animal)}\n` },
  // Lines end as RFC 4180 has it.
  csv: {
    head: `${petFields.join(',')}\r\n`,
    line: (animal) => `${petFields.map((name) => toCell(animal[name])).join(',')}\r\n`,
  },
}

// Nothing is put before a text that a spreadsheet would take for a formula: names are kept as they
// were sent.
function toCell(value: string | number | undefined): string {
  const text = String(value ?? '')
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
