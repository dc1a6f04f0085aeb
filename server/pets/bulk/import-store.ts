import type { ColumnType, Engine } from '../../store/engine.ts'
import type { NewPet } from '../pet-store.ts'

/** The progress of importing a file. */
export interface ImportState {
  /** Records of the file that were processed, including those that were skipped. */
  readonly records: number
  /** Animals that were added. */
  readonly animals: number
  /** When the last record was processed, in milliseconds since 1970; null if it was not. */
  readonly finishedAt: number | null
}

/** The next records of a file. */
interface ImportStep {
  readonly digest: string
  /** Records that were processed before this step, and will be after it. */
  readonly from: number
  readonly to: number
  readonly animals: readonly NewPet[]
  /** Set with the last step. */
  readonly finishedAt: number | null
}

export type ImportStore = ReturnType<typeof createImportStore>

/** Adds pets from files, and keeps the progress of each file under its digest. */
export function createImportStore({ dialect, read, write }: Engine) {
  const insertPets = `INSERT INTO animals (name, category_id, status) ${dialect.selectJson(members)}`
  return {
    /** Returns the progress of a file; nothing was processed of one that is new. */
    async begin(digest: string): Promise<ImportState> {
      await write([insertImport, digest])
      const [state] = await read<ImportState>(selectImport, digest)
      return state ?? { records: 0, animals: 0, finishedAt: null }
    },
    /**
     * Adds the pets of a step and moves the progress of the file, both or neither. Adds nothing if the
     * progress is not where the step begins.
     */
    async advance({ digest, from, to, animals, finishedAt }: ImportStep): Promise<void> {
      await write(
        [moveProgress, to, animals.length, finishedAt, digest, from],
        [insertPets, JSON.stringify(animals)],
      )
    },
    /** Deletes the progress of a file, so that it can be imported again. */
    async forget(digest: string): Promise<void> {
      await write(['DELETE FROM imports WHERE digest = $1', digest])
    },
  }
}

// A field that the contract gains or loses fails here.
const members = {
  name: 'text',
  categoryId: 'bigint',
  status: 'text',
} as const satisfies Record<keyof NewPet, ColumnType>

const insertImport = `INSERT INTO imports (digest, records, animals, finished_at)
  VALUES ($1, 0, 0, NULL) ON CONFLICT DO NOTHING`
const selectImport = `SELECT records, animals, finished_at AS "finishedAt"
  FROM imports WHERE digest = $1`
const moveProgress = `UPDATE imports SET records = $1, animals = animals + $2, finished_at = $3
  WHERE digest = $4 AND records = $5 RETURNING records`
