import type { CheckedBody } from '../contract/body-checks.ts'
import type { NewPet } from '../store/pet-store.ts'

/** Bytes as they come. */
export type Bytes = AsyncIterable<Buffer>

/** One record of a file. */
export interface AnimalRecord {
  /** The number of the line that it begins in; the first line of a file is 1. */
  readonly line: number
  readonly checked: CheckedBody<NewPet>
}

/** Reads the records of a file one after the other; throws a `FileFault` where it cannot go on. */
export type ReadRecords = (bytes: Bytes) => AsyncGenerator<AnimalRecord>
