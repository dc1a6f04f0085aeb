import type { NewPet } from './pet-store.ts'
import type { ImportsTable } from './tables.ts'

/** The progress of importing a file. */
export interface ImportState {
  /** Records of the file that were processed, including those that were skipped. */
  readonly records: number
  /** Animals that were added. */
  readonly animals: number
  /** When the last record was processed, in milliseconds since 1970. */
  readonly finishedAt: number | undefined
}

/** The next records of a file. */
export interface ImportStep {
  readonly digest: string
  /** Records that were processed before this step, and will be after it. */
  readonly from: number
  readonly to: number
  readonly animals: readonly NewPet[]
  /** Set with the last step. */
  readonly finishedAt: number | undefined
}

/** Adds pets from files, and keeps the progress of each file under its digest. */
export interface ImportStore {
  /** Returns the progress of a file; nothing was processed of one that is new. */
  readonly begin: (digest: string) => Promise<ImportState>
  /**
   * Adds the pets of a step and moves the progress of the file, both or neither. Returns false, and
   * adds nothing, if the progress is not where the step begins.
   */
  readonly advance: (step: ImportStep) => Promise<boolean>
  /** Deletes the progress of a file, so that it can be imported again. */
  readonly forget: (digest: string) => Promise<void>
}

/** Returns the progress that is kept in a row. */
export function toImportState(row: ImportsTable | undefined): ImportState {
  if (row === undefined) return { records: 0, animals: 0, finishedAt: undefined }
  const { records, animals, finished_at } = row
  return { records, animals, finishedAt: finished_at ?? undefined }
}
