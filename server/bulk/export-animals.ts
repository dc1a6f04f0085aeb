import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type { Animal, AnimalStore } from '../store/animal-store.ts'
import type { WriteAnimals } from './animal-text.ts'
import { patiently } from './patience.ts'
import { type Progress, toWords } from './progress.ts'

/** Animals that are read at a time. */
const pageSize = 1_000

/** What an export needs of its surroundings. */
export interface ExportPlace {
  readonly animals: AnimalStore
  readonly progress: Progress
  /** Ends the export early: it rejects with the reason. */
  readonly signal: AbortSignal
}

/**
 * Writes every animal that is there when it begins, in the order of ids, no faster than it is
 * read; gives how many.
 */
export async function exportAnimals(
  output: Writable,
  text: WriteAnimals,
  status: Animal['status'] | undefined,
  { animals, progress, signal }: ExportPlace,
): Promise<number> {
  const last = await patiently(animals.lastId)
  let [after, written] = [0, 0]
  await write(output, text.head, signal)
  while (after < last) {
    const page = await patiently(() => animals.page({ after, limit: pageSize, status }))
    const there = page.filter(({ id }) => id <= last)
    await write(output, there.map(text.line).join(''), signal)
    written += there.length
    after = page.at(-1)?.id ?? last
    progress.tell(after, last, () => `exported ${toWords(written)} animals`)
  }
  progress.end()
  return written
}

async function write(output: Writable, text: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  if (text !== '' && !output.write(text)) await once(output, 'drain', { signal })
}
