import type { Tables as SharedTables } from '../tables.ts'

export interface PositionsTable {
  /** The table whose positions are counted. */
  name: string
  last: number
}

export interface Tables extends SharedTables {
  positions: PositionsTable
}
