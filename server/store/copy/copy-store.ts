import type { CopiedRow, CopiedTable } from './copied-tables.ts'

/** A store as those see it who copy all of it to another. */
export interface CopyStore {
  /** Rows after the keys of another, in the order of their keys; those that are over are left out. */
  readonly page: (table: CopiedTable, after: CopiedRow | undefined) => Promise<CopiedRow[]>
  /** Rows of a numbered table, after a number and up to another. */
  readonly between: (table: CopiedTable, after: number, upTo: number) => Promise<CopiedRow[]>
  /** The rows that have the keys of others. */
  readonly like: (table: CopiedTable, rows: readonly CopiedRow[]) => Promise<CopiedRow[]>
  /** Puts rows in, in the place of those with the same keys; all or none. */
  readonly put: (table: CopiedTable, rows: readonly CopiedRow[]) => Promise<void>
  /** The highest number of a numbered table; 0 where it is empty. */
  readonly last: (table: CopiedTable) => Promise<number>
  /** Lets the numbers of what others add to a numbered table next begin above a number. */
  readonly goOnAbove: (table: CopiedTable, number: number) => Promise<void>
  /** Whose copy this is; undefined where it is none. */
  readonly origin: () => Promise<string | undefined>
  /** Makes this the copy of a store that has a secret, which it takes over. */
  readonly adopt: (origin: string, secret: Uint8Array) => Promise<void>
}
