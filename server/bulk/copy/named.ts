import type { CopiedRow, CopiedTable } from '../../store/copy/copied-tables.ts'
import { type CopiedSums, type Copying, copyTable, type PageCopy } from './copy-table.ts'

/** Copies a table that is known by text; what the target has beside it is left alone. */
export function copyNamed(
  copying: Copying,
  table: CopiedTable,
  choose: PageCopy['choose'] = async (rows) => ({ rows, left: 0, isLast: false }),
): Promise<CopiedSums> {
  const keyOf = (row: CopiedRow): string => JSON.stringify(row.slice(0, table.keys))
  return copyTable(copying, table, {
    choose,
    async there(rows) {
      if (rows.length === 0) return []
      const found = await copying.target.like(table, rows)
      const known = new Map(found.map((row) => [keyOf(row), row]))
      return rows.map((row) => known.get(keyOf(row))).filter((row) => row !== undefined)
    },
  })
}
