import type { NewPet } from './pet-store.ts'

/** How far a file has been imported. */
export interface ImportState {
  /** Records of the file that are dealt with, those that were left out included. */
  readonly records: number
  /** Animals that it has added. */
  readonly animals: number
  /** When its last record was dealt with, in milliseconds since 1970. */
  readonly finishedAt: number | undefined
}

/** The next records of a file. */
export interface ImportStep {
  readonly digest: string
  /** Records that are dealt with before this step, and after it. */
  readonly from: number
  readonly to: number
  readonly animals: readonly NewPet[]
  /** Set with the last step. */
  readonly finishedAt: number | undefined
}

/** Keeps animals that come from files, and how far each file is, under the digest of the file. */
export interface ImportStore {
  /** Gives how far a file is, which is nowhere when it was not known. */
  readonly begin: (digest: string) => Promise<ImportState>
  /**
   * Adds the animals of a step and notes how far the file is now, both or neither. Gives false, and
   * adds nothing, where the file is not where the step begins.
   */
  readonly advance: (step: ImportStep) => Promise<boolean>
  /** Forgets that a file was imported. */
  readonly forget: (digest: string) => Promise<void>
}
