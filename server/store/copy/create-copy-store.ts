import type { Cell, CopiedRow, CopiedTable } from './copied-tables.ts'
import {
  adoptSecret,
  type CopySql,
  insertRows,
  selectBetween,
  selectLast,
  selectLike,
  selectOrigin,
  selectPage,
} from './copy-sql.ts'
import type { CopyStore } from './copy-store.ts'

/** What an engine does with SQL. */
export interface CopyEngine {
  readonly read: (query: CopySql) => Promise<readonly Readonly<Record<string, Cell>>[]>
  readonly write: (query: CopySql) => Promise<void>
  readonly goOnAbove: CopyStore['goOnAbove']
}

/** Makes a store to copy from or to out of what its engine does with SQL. */
export function createCopyStore({ read, write, goOnAbove }: CopyEngine): CopyStore {
  const rows = async (table: CopiedTable, query: CopySql): Promise<CopiedRow[]> =>
    (await read(query)).map((row) => table.columns.map((name) => row[name] ?? null))
  return {
    page: (table, after) => rows(table, selectPage(table, after, Date.now())),
    between: (table, after, upTo) => rows(table, selectBetween(table, after, upTo)),
    like: (table, like) => rows(table, selectLike(table, like)),
    put: (table, added) => write(insertRows(table, added)),
    last: async (table) => Number((await read(selectLast(table)))[0]?.['last'] ?? 0),
    goOnAbove,
    async origin() {
      const value = (await read(selectOrigin()))[0]?.['value']
      return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : undefined
    },
    adopt: (origin, taken) => write(adoptSecret(Buffer.from(origin, 'hex'), taken)),
  }
}
