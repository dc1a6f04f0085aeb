import type { CopiedRow, CopiedTable } from '../../store/copy/copied-tables.ts'
import type { CopyRefused } from './copy-refused.ts'
import { type CopiedSums, type Copying, copyTable } from './copy-table.ts'
import { strange } from './strangers.ts'

/**
 * Copies a table that is known by numbers, up to a number. Ranges are compared, not only what comes
 * after the highest number: PostgreSQL may show a row after one with a higher number.
 */
export async function copyNumbered(
  copying: Copying,
  table: CopiedTable,
  upTo = Number.POSITIVE_INFINITY,
): Promise<CopiedSums> {
  const { source, target } = copying
  let above = 0
  const sums = await copyTable(copying, table, {
    async choose(rows) {
      const chosen = rows.filter((row) => numberOf(row) <= upTo)
      return { rows: chosen, left: 0, isLast: chosen.length < rows.length }
    },
    // A service that is started on half a copy takes no number that is still to come.
    async prepare(rows) {
      if (rows.every((row) => numberOf(row) <= above)) return
      above = await source.last(table)
      await target.goOnAbove(table, above)
    },
    async there(rows, after) {
      const last = rows.at(-1)
      if (last === undefined) return []
      const from = after === undefined ? Number.MIN_SAFE_INTEGER : numberOf(after)
      const found = await target.between(table, from, numberOf(last))
      refuseOthers(table, rows, found)
      return found
    },
  })
  // The target is asked first: what comes to the source meanwhile is no stranger.
  const lastThere = await target.last(table)
  if (lastThere > (await source.last(table))) throw stranger(table, lastThere)
  return sums
}

function refuseOthers(
  table: CopiedTable,
  rows: readonly CopiedRow[],
  found: readonly CopiedRow[],
): void {
  const known = new Map(rows.map((row) => [numberOf(row), row]))
  for (const row of found) {
    const ours = known.get(numberOf(row))
    const isSame = ours?.slice(0, table.fixed).every((cell, index) => cell === row[index])
    if (isSame !== true) throw stranger(table, numberOf(row))
  }
}

function stranger(table: CopiedTable, number: number): CopyRefused {
  return strange(table, `${table.columns[0]} ${number}`)
}

function numberOf([number]: CopiedRow): number {
  return Number(number)
}
