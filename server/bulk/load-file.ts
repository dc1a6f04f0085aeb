import type { ImportState, ImportStore } from '../store/import-store.ts'
import type { NewPet } from '../store/pet-store.ts'
import type { CountedBytes } from './counted-bytes.ts'
import { FileFault } from './file-fault.ts'
import { patiently } from './patience.ts'
import { type Progress, toWords } from './progress.ts'
import type { ReadRecords } from './record.ts'

/** Records whose animals are added in one transaction. */
const batchSize = 1_000

/** What is to be loaded, as it was found when it was checked. */
export interface Load {
  readonly source: CountedBytes
  readonly read: ReadRecords
  readonly size: number
  readonly digest: string
  readonly records: number
  /** Whether records that break the contract are left out; they end the load otherwise. */
  readonly skipInvalid: boolean
}

/** What loading needs of its surroundings. */
export interface Loading {
  readonly imports: ImportStore
  readonly progress: Progress
  /** Ends the load between two transactions. */
  readonly signal: AbortSignal
}

/** Adds the animals of a file from where it was left; gives how far it is. */
export async function loadFile(load: Load, loading: Loading): Promise<ImportState> {
  const { imports, progress, signal } = loading
  let state = await patiently(() => imports.begin(load.digest), signal)
  let seen = 0
  let animals: NewPet[] = []
  for await (const { checked } of load.read(load.source.bytes)) {
    if (++seen <= state.records) continue
    if ('body' in checked) animals.push(checked.body)
    else if (!load.skipInvalid) throw changed()
    if (seen > load.records) throw changed()
    if (seen - state.records < batchSize && seen < load.records) continue
    state = await advance(loading, load, state, seen, animals)
    animals = []
    const { animals: added } = state
    progress.tell(load.source.passed(), load.size, () => `${toWords(added)} animals are in`)
    if (signal.aborted) break
  }
  const isWhole = state.records === load.records && load.source.digest() === load.digest
  if (!isWhole && !signal.aborted) throw changed()
  return state
}

async function advance(
  { imports, signal }: Loading,
  { digest, records }: Load,
  before: ImportState,
  to: number,
  animals: readonly NewPet[],
): Promise<ImportState> {
  const finishedAt = to === records ? Date.now() : undefined
  const after = { records: to, animals: before.animals + animals.length, finishedAt }
  let tries = 0
  await patiently(async () => {
    tries++
    const step = { digest, from: before.records, to, animals, finishedAt }
    if (await imports.advance(step)) return
    // The answer to an earlier try may have been lost: then that one has done it.
    if (tries === 1 || (await imports.begin(digest)).records !== to) throw overtaken()
  }, signal)
  return after
}

function changed(): FileFault {
  return new FileFault('The file was changed while it was read. Import it again when it is still.')
}

function overtaken(): FileFault {
  return new FileFault('Another process imports the same file. Leave it to that one.')
}
