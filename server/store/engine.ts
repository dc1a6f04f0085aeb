import type { Once } from './pet-store.ts'
import type { AnimalsTable } from './tables.ts'

/** A value of a statement. */
export type Value = string | number | null | Uint8Array

/** A statement with its values, which it names `$1`, `$2` and so on. Each text is prepared once. */
export type Query = readonly [sql: string, ...values: Value[]]

/** A database as the stores use it: SQL on prepared statements. */
export interface Engine {
  readonly dialect: Dialect
  /** Runs a statement that changes nothing. */
  readonly read: <Row>(...query: Query) => Promise<Row[]>
  /**
   * Runs statements in one transaction, those after the first only if the first returns a row.
   * Returns the rows of the first; when it resolves, the changes survive a crash.
   */
  readonly write: <Row>(first: Query, ...others: readonly Query[]) => Promise<Row[]>
}

/** SQL that differs between the engines. */
export interface Dialect {
  /** Adds a pet and its idempotency key, and returns the id; returns no row if the key was used. */
  readonly insertOnce: (
    pet: Omit<AnimalsTable, 'id'>,
    once: Once,
    now: number,
  ) => [Query, ...Query[]]
  /** Adds the pets of a JSON array of rows, in its order. */
  readonly insertPets: string
  /** Selects, of the pets with status `$1`, those after id `$2`, by id, and `$3` at most. */
  readonly pageWithStatus: string
  /** Adds a key with the values of `keyColumns`. */
  readonly insertKey: string
  /** Returns a row if no key was ever added. */
  readonly isFirstKey: string
  /** Selects the rows of a JSON array of `KeyUse`. */
  readonly selectUses: string
  /** The function that returns the larger of two values. */
  readonly max: string
  /** Ends a SELECT that skips the rows that another instance has locked. */
  readonly skipLocked: string
}
