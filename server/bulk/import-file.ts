import type { ImportState, ImportStore } from '../store/import-store.ts'
import { checkFile, type FileCheck } from './check-file.ts'
import { countBytes } from './counted-bytes.ts'
import type { FaultList } from './fault-list.ts'
import type { Format } from './format.ts'
import type { InputFile } from './input-file.ts'
import { loadFile } from './load-file.ts'
import { patiently } from './patience.ts'
import type { Progress } from './progress.ts'
import { createReader } from './readers.ts'

export interface ImportOptions {
  readonly format: Format
  /** Leaves out records that break the contract; without it none is added when there is one. */
  readonly skipInvalid: boolean
  readonly newIds: boolean
  /** Adds what was added before once more. */
  readonly again: boolean
}

/** What an import needs of its surroundings. */
export interface ImportPlace {
  readonly imports: ImportStore
  readonly faults: FaultList
  readonly progress: Progress
  readonly signal: AbortSignal
}

/** What came of an import. */
export type Imported = FileCheck & {
  /** How far the file was before, and is now; the same where nothing was added. */
  readonly before: ImportState
  readonly after: ImportState
}

/**
 * Adds the animals of a file, in two readings: the first checks every record, the second adds them
 * in short transactions, from where an earlier import of the same bytes was left.
 */
export async function importFile(
  file: InputFile,
  options: ImportOptions,
  place: ImportPlace,
): Promise<Imported> {
  try {
    return await checkAndLoad(file, options, place)
  } finally {
    place.progress.end()
  }
}

async function checkAndLoad(
  file: InputFile,
  options: ImportOptions,
  { imports, faults, progress, signal }: ImportPlace,
): Promise<Imported> {
  const read = createReader(options.format, options)
  const source = countBytes(file.bytes(), options.format)
  const tellFault = async (line: string): Promise<void> => {
    progress.end()
    await faults.tell(line)
  }
  const check = await checkFile(source, read, file.size, { progress, tellFault, signal })
  // What is left out is listed before anything is added.
  await faults.end()
  const digest = source.digest()
  if (signal.aborted || check.records === 0) return { ...check, before: nowhere, after: nowhere }
  if (check.bad > 0 && !options.skipInvalid) return { ...check, before: nowhere, after: nowhere }
  const before = await patiently(() => startingPoint(imports, digest, options.again), signal)
  if (before.finishedAt !== undefined) return { ...check, before, after: before }
  const load = { ...check, ...options, source: countBytes(file.bytes(), options.format) }
  const after = await loadFile(
    { ...load, read, digest, size: file.size },
    { imports, progress, signal },
  )
  return { ...check, before, after }
}

const nowhere: ImportState = { records: 0, animals: 0, finishedAt: undefined }

async function startingPoint(imports: ImportStore, digest: string, again: boolean) {
  const state = await imports.begin(digest)
  if (!again || state.finishedAt === undefined) return state
  await imports.forget(digest)
  return imports.begin(digest)
}
