import type { CopiedRow, CopiedTable } from '../../store/copy/copied-tables.ts'
import { type CopiedSums, type Copying, copyTable, type PageCopy } from './copy-table.ts'

/** What tells a row of a table apart, as one text. */
export function keyOf({ keys }: CopiedTable, row: CopiedRow): string {
  return JSON.stringify(row.slice(0, keys))
}

/** Copies a table that is known by text; what the target has beside it is left alone. */
export function copyNamed(
  copying: Copying,
  table: CopiedTable,
  choose: PageCopy['choose'] = async (rows) => ({ rows, left: 0, isLast: false }),
): Promise<CopiedSums> {
  return copyTable(copying, table, {
    choose,
    async there(rows) {
      if (rows.length === 0) return []
      const found = await copying.target.like(table, rows)
      const known = new Map(found.map((row) => [keyOf(table, row), row]))
      return rows.map((row) => known.get(keyOf(table, row))).filter((row) => row !== undefined)
    },
  })
}
