import type { Pet, PetStore } from '../store/pet-store.ts'
import type { WriteAnimals } from './animal-text.ts'
import { patiently } from './patience.ts'
import { type Progress, toWords } from './progress.ts'
import type { TextWriter } from './text-writer.ts'

/** Animals that are read at a time. */
const pageSize = 1_000

/** What an export needs of its surroundings. */
export interface ExportPlace {
  readonly animals: PetStore
  readonly progress: Progress
  /** Ends the export early: it rejects with the reason. */
  readonly signal: AbortSignal
}

/**
 * Writes every animal that is there when it begins, in the order of ids, no faster than it is
 * read; gives how many.
 */
export async function exportAnimals(
  output: Pick<TextWriter, 'write'>,
  text: WriteAnimals,
  status: Pet['status'] | undefined,
  { animals, progress, signal }: ExportPlace,
): Promise<number> {
  const write = async (part: string): Promise<void> => {
    signal.throwIfAborted()
    if (part !== '') await output.write(part, signal)
  }
  const last = await patiently(animals.lastId, signal)
  let [after, written] = [0, 0]
  try {
    await write(text.head)
    while (after < last) {
      const page = await patiently(() => animals.page({ after, limit: pageSize, status }), signal)
      const there = page.filter(({ id }) => id <= last)
      await write(there.map(text.line).join(''))
      written += there.length
      after = page.at(-1)?.id ?? last
      progress.tell(after, last, () => `exported ${toWords(written)} animals`)
    }
  } finally {
    progress.end()
  }
  return written
}
