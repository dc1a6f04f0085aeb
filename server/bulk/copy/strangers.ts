import { type CopiedRow, type CopiedTable, isOver } from '../../store/copy/copied-tables.ts'
import { CopyRefused } from './copy-refused.ts'
import type { Copying } from './copy-table.ts'
import { keyOf } from './named.ts'

/** Refuses a target that has rows of a table which the source has not. */
export async function refuseStrangers(
  { source, target }: Pick<Copying, 'source' | 'target'>,
  table: CopiedTable,
): Promise<void> {
  let strangers = 0
  let after: CopiedRow | undefined
  for (;;) {
    const page = await target.page(table, after)
    after = page.at(-1)
    if (after === undefined) break
    const known = new Set((await source.like(table, page)).map((row) => keyOf(table, row)))
    // What has come to its time meanwhile may be gone from the source already.
    const isStranger = (row: CopiedRow): boolean =>
      !known.has(keyOf(table, row)) && !isOver(table, row, Date.now())
    strangers += page.filter(isStranger).length
  }
  if (strangers > 0) throw strange(table, `${strangers} more`)
}

/** Why a target is not copied to that holds what the source does not. */
export function strange({ name }: CopiedTable, what: string): CopyRefused {
  const message = `The target holds other data than the source: ${name}, ${what}.`
  return new CopyRefused(`${message} It may have been in service. Copy to an empty store.`)
}
