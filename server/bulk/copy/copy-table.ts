import type { CopiedRow, CopiedTable } from '../../store/copy/copied-tables.ts'
import type { CopyStore } from '../../store/copy/copy-store.ts'
import { createSum, type Sum, toText } from './checksum.ts'

/** The two stores of a copy, and who is told of it. */
export interface Copying {
  readonly source: CopyStore
  readonly target: CopyStore
  /** Told after each page how many rows of a table are compared; throws to end the copy. */
  readonly tell: (table: CopiedTable, rows: number) => void
}

/** What a walk over a table has found. */
export interface CopiedSums {
  readonly table: CopiedTable
  readonly source: Sum
  readonly target: Sum
  /** Rows that were not there, or not as they are now. */
  readonly put: number
  /** Rows that could not be put in, because what they name is not there yet. */
  readonly left: number
}

/** What is to be copied of a page. */
export interface Choice {
  readonly rows: readonly CopiedRow[]
  /** How many rows have to wait. */
  readonly left: number
  /** Whether no page after it is to be copied. */
  readonly isLast: boolean
}

/** How pages of one kind of table are copied. */
export interface PageCopy {
  readonly choose: (rows: readonly CopiedRow[]) => Promise<Choice>
  /** Makes the target ready for rows that are put in next. */
  readonly prepare?: (rows: readonly CopiedRow[]) => Promise<void>
  /** What the target has in the place of a page, in the order of the page. */
  readonly there: (rows: readonly CopiedRow[], after: CopiedRow | undefined) => Promise<CopiedRow[]>
}

/** Walks over a table, puts what the target lacks into it, and sums up what both sides then hold. */
export async function copyTable(
  { source, target, tell }: Copying,
  table: CopiedTable,
  { choose, prepare, there }: PageCopy,
): Promise<CopiedSums> {
  const [sourceSum, targetSum] = [createSum(), createSum()]
  let after: CopiedRow | undefined
  let [put, left, seen] = [0, 0, 0]
  for (;;) {
    const page = await source.page(table, after)
    const chosen = await choose(page)
    left += chosen.left
    let found = await there(chosen.rows, after)
    const lacking = differing(chosen.rows, found)
    if (lacking.length > 0) {
      await prepare?.(lacking)
      await target.put(table, lacking)
      put += lacking.length
      found = await there(chosen.rows, after)
    }
    sourceSum.add(chosen.rows)
    targetSum.add(found)
    seen += page.length
    tell(table, seen)
    after = page.at(-1)
    if (after === undefined || chosen.isLast) break
  }
  return { table, source: sourceSum.sum(), target: targetSum.sum(), put, left }
}

function differing(rows: readonly CopiedRow[], found: readonly CopiedRow[]): CopiedRow[] {
  const known = new Set(found.map(toText))
  return rows.filter((row) => !known.has(toText(row)))
}
