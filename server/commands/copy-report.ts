import type { WholeCopy } from '../bulk/copy/copy-all.ts'
import type { CopiedSums } from '../bulk/copy/copy-table.ts'
import { toWords } from '../bulk/progress.ts'

/** What people are told of a copy, and whether both sides are the same. */
export interface CopyReport {
  readonly text: string
  readonly isEqual: boolean
}

/** Shows a copy; there may be animals in the source that are newer than it. */
export function toReport({ tables }: WholeCopy, hasNewer: boolean): CopyReport {
  const differing = tables.filter((table) => !isSame(table))
  const width = Math.max(...tables.map(({ table }) => table.name.length))
  const lines = tables.flatMap(({ table, source, target }) => [
    `${table.name.padEnd(width)}  source  rows ${toWords(source.rows)}  SHA-256 ${source.digest}`,
    `${' '.repeat(width)}  target  rows ${toWords(target.rows)}  SHA-256 ${target.digest}`,
  ])
  if (differing.length > 0) return { text: lines.join('\n'), isEqual: false }
  const newer = hasNewer
    ? 'The source has got animals meanwhile that are not in the copy.'
    : 'What the source gets from now on is not in the copy.'
  const advice = 'Stop the service on the source and run this once more before you use the target.'
  return { text: [...lines, `The copy is whole. ${newer} ${advice}`].join('\n'), isEqual: true }
}

function isSame({ source, target }: CopiedSums): boolean {
  return source.rows === target.rows && source.digest === target.digest
}
