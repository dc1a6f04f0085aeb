import type { CopiedRow, CopiedTable } from '../../store/copy/copied-tables.ts'
import { CopyRefused } from './copy-refused.ts'
import { type CopiedSums, type Copying, copyTable } from './copy-table.ts'

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
  const sums = await copyTable(copying, table, {
    async choose(rows) {
      const chosen = rows.filter((row) => numberOf(row) <= upTo)
      return { rows: chosen, left: 0, isLast: chosen.length < rows.length }
    },
    async there(rows, after) {
      const last = rows.at(-1)
      if (last === undefined) return []
      const from = after === undefined ? Number.MIN_SAFE_INTEGER : numberOf(after)
      const found = await target.between(table, from, numberOf(last))
      refuseStrangers(table, rows, found)
      return found
    },
  })
  // The target is asked first: what comes to the source meanwhile is no stranger.
  const lastThere = await target.last(table)
  if (lastThere > (await source.last(table))) throw strange(table, lastThere)
  return sums
}

function refuseStrangers(
  table: CopiedTable,
  rows: readonly CopiedRow[],
  found: readonly CopiedRow[],
): void {
  const known = new Map(rows.map((row) => [numberOf(row), row]))
  for (const row of found) {
    const ours = known.get(numberOf(row))
    const isSame = ours?.slice(0, table.fixed).every((cell, index) => cell === row[index])
    if (isSame !== true) throw strange(table, numberOf(row))
  }
}

function strange({ name, columns: [key] }: CopiedTable, number: number): CopyRefused {
  const message = `The target holds other data than the source: ${name}, ${key} ${number}.`
  return new CopyRefused(`${message} It may have been in service. Copy to an empty store.`)
}

function numberOf([number]: CopiedRow): number {
  return Number(number)
}
