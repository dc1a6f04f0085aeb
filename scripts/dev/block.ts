import { styleText } from 'node:util'
import type { Change, ContractDiff } from '../diff/contract-diff.ts'
import { describeVersion, type Finding, isVersionDue, type LoopState } from './state.ts'

/** How many rows of each kind are printed; the studio page shows all. */
const mostRows = 8

type Style = Parameters<typeof styleText>[0]

/** Returns what is printed for a save: one line when nothing is to be done. */
export function writeBlock(state: LoopState, time: Date): string {
  const { saved, lint, responses, code, diff, trouble } = state
  const head = `${paint('dim', time.toTimeString().slice(0, 8))}  ${saved.join(', ') || 'started'}`
  const rows = [
    ...shorten([...lint, ...responses].map((finding) => findingRow('spec', finding))),
    // What an invalid description changes for clients is not certain.
    ...(lint.length === 0 && diff !== undefined ? diffRows(diff) : []),
    ...shorten(code.map((finding) => findingRow('code', finding))),
    ...sampledRows(state),
    ...(trouble === undefined ? [] : [row('red', 'not served', trouble)]),
  ]
  const times = paint('dim', describeTimes(state.milliseconds))
  if (rows.length > 0) return ['', head, ...rows, `  ${times}`].join('\n')
  const since = diff && diff.step !== 'none' ? `  ${diff.step} since ${diff.base.version}` : ''
  return `${head}  ${paint('green', 'ok')}${paint('dim', since)}  ${times}`
}

function findingRow(label: string, { file, line, column, rule, message }: Finding): string {
  const place = `${file}:${line}:${column}`
  return row('red', label, [place, ...(rule === undefined ? [] : [rule]), message].join(' '))
}

/** Returns the breaking changes, and all changes if they need another version than there is. */
function diffRows(diff: ContractDiff): readonly string[] {
  const isDue = isVersionDue(diff)
  const shown = diff.changes.filter(({ breaking }) => isDue || breaking)
  const version = isDue ? [row('yellow', 'version', describeVersion(diff))] : []
  return [...shorten(shown.map(changeRow)), ...version]
}

function changeRow({ breaking, step, file, line, place, what, consequence }: Change): string {
  const label = breaking ? 'breaking' : step
  return row(breaking ? 'red' : 'cyan', label, `${file}:${line} ${place}: ${what} ${consequence}`)
}

function sampledRows({ operations }: LoopState): readonly string[] {
  const sampled = operations.filter(({ state }) => state === 'sampled')
  if (sampled.length === 0) return []
  const names = sampled.slice(0, mostRows).map(({ operationId }) => operationId)
  const more = sampled.length > mostRows ? ` and ${sampled.length - mostRows} more` : ''
  return [row('yellow', 'sampled', `${names.join(', ')}${more}: no handler yet`)]
}

function row(style: Style, label: string, text: string): string {
  return `  ${paint(style, label.padEnd(10))}  ${text}`
}

function shorten(rows: readonly string[]): readonly string[] {
  if (rows.length <= mostRows) return rows
  const more = `and ${rows.length - mostRows} more, which the studio page shows`
  return [...rows.slice(0, mostRows), row('dim', '', more)]
}

function describeTimes({ total = 0, ...steps }: LoopState['milliseconds']): string {
  const toSeconds = (milliseconds: number) => (milliseconds / 1000).toFixed(2)
  const listed = Object.entries(steps).map(([step, time]) => `${step} ${toSeconds(time)}`)
  return `${toSeconds(total)} s: ${listed.join(', ')}`
}

function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout })
}
