import type { Machine } from './machine.ts'
import { toRatioText, withSpread } from './numbers.ts'
import type { Table, Target } from './outcome.ts'

/** All that is reported of a run. */
export interface Report {
  /** The day, such as `2026-11-21`. */
  readonly day: string
  readonly machine: Machine
  readonly minutes: number
  readonly targets: readonly Target[]
  readonly tables: readonly Table[]
}

/** Whether a ratio is what it may be; decided by the median as it was measured, not as it is shown. */
export function isMet({ atMost, measured }: Target): boolean {
  return measured.median <= atMost
}

/** Writes the report for people: the targets first, then where the figures come from, then all. */
export function toMarkdown({ day, machine, minutes, targets, tables }: Report): string {
  const met = targets.filter(isMet).length
  const { processor, cores, memory, system, node, packages, commit, loadBefore, pinning } = machine
  const versions = Object.entries(packages).map(([name, version]) => `${name} ${version}`)
  const sections = [
    '# What the service costs',
    ...(targets.length === 0
      ? []
      : [`${met} of ${targets.length} targets are met.`, targetTable(targets)]),
    `Ratios are medians of rounds, with the lowest and the highest. Written by \`npm run bench\` on ${day}, in ${minutes.toFixed(1)} minutes, of commit ${commit}.`,
    [
      `- ${processor}, ${cores} cores, ${memory}, ${system}; ${loadBefore.toFixed(1)} processes wanted a core in the minute before`,
      `- processes are held to ${pinning}`,
      `- Node.js ${node}, ${versions.join(', ')}`,
    ].join('\n'),
    ...tables.flatMap(({ title, note, columns, rows }) => [
      `## ${title}`,
      note,
      toTable(columns, rows),
    ]),
  ]
  return `${sections.join('\n\n')}\n`
}

function targetTable(targets: readonly Target[]): string {
  const rows = targets.map((target) => [
    target.what,
    toRatioText(target.atMost),
    withSpread(target.measured, toRatioText),
    isMet(target) ? 'yes' : '**no**',
  ])
  return toTable(['what', 'at most', 'measured', 'met'], rows)
}

function toTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(columns), `|${columns.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}
