import { createHash } from 'node:crypto'
import type { CopiedRow } from '../../store/copy/copied-tables.ts'

/** Rows, and the SHA-256 of them all in their order. */
export interface Sum {
  readonly rows: number
  readonly digest: string
}

/** Sums rows up as they pass. */
export interface RunningSum {
  readonly add: (rows: readonly CopiedRow[]) => void
  readonly sum: () => Sum
}

export function createSum(): RunningSum {
  const hash = createHash('sha256')
  let count = 0
  return {
    add(rows) {
      count += rows.length
      for (const row of rows) hash.update(`${toText(row)}\n`)
    },
    sum: () => ({ rows: count, digest: hash.copy().digest('hex') }),
  }
}

/** A row as a text that is the same for equal rows, whichever engine they come from. */
export function toText(row: CopiedRow): string {
  return JSON.stringify(
    row.map((cell) => (cell instanceof Uint8Array ? Buffer.from(cell).toString('hex') : cell)),
  )
}
