import type { Detail } from '../contract/errors.ts'
import type { CountedBytes } from './counted-bytes.ts'
import { type Progress, toWords } from './progress.ts'
import type { ReadRecords } from './record.ts'

/** What a look at a whole file has found. */
export interface FileCheck {
  readonly records: number
  /** Records that are not animals of the contract. */
  readonly bad: number
}

/** Told of a record that breaks the contract. */
export type TellFault = (line: string) => Promise<void>

/** What checking needs of its surroundings. */
export interface Checking {
  readonly progress: Progress
  readonly tellFault: TellFault
  /** Ends the look early. */
  readonly signal: AbortSignal
}

/** Reads a file to its end, adds nothing, and tells of every record that breaks the contract. */
export async function checkFile(
  source: CountedBytes,
  read: ReadRecords,
  size: number,
  { progress, tellFault, signal }: Checking,
): Promise<FileCheck> {
  let [records, bad] = [0, 0]
  for await (const { line, checked } of read(source.bytes)) {
    records++
    if ('faults' in checked) {
      bad++
      await tellFault(`Line ${line}: ${checked.faults.map(toText).join('; ')}`)
    }
    progress.tell(source.passed(), size, () => `checked ${toWords(records)} records`)
    if (signal.aborted) break
  }
  return { records, bad }
}

// The answer to a create names the same places, after its own name for the body.
function toText({ path, message }: Detail): string {
  const [, , ...rest] = path.split('/')
  return rest.length === 0 ? message : `${rest.join('/')} ${message}`
}
