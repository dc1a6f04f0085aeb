import type { Dialect, Value } from './engine.ts'

/** Values by the names of their columns. */
export type Row = Readonly<Record<string, Value>>

/** A table as it is copied to another database. */
export interface Table {
  readonly name: string
  /** The columns of its key, with values below all others. */
  readonly start: Row
}

/** The tables of an API, beside those of the platform. */
export interface Schema {
  /** Returns the statements of each migration by its name, in the order in which they are applied. */
  readonly migrations: (dialect: Dialect) => Readonly<Record<string, readonly string[]>>
  /** The tables to copy; a row may name rows of the tables before its own. */
  readonly tables: readonly Table[]
}
