import { styleText } from 'node:util'
import type { Change } from '../diff/contract-diff.ts'
import { type Finding, type LoopState, verdictOf } from './state.ts'

/** How many rows of each kind are printed; the studio page shows all. */
const mostRows = 8

type Style = Parameters<typeof styleText>[0]

/** Returns what is printed for a save: one line when nothing is to be done. */
export function writeBlock(state: LoopState, time: Date): string {
  const { saved, lint, responses, code, diff } = state
  const head = `${styleText('dim', time.toTimeString().slice(0, 8))}  ${saved.join(', ') || 'started'}`
  const rows = [
    ...shorten([...lint, ...responses].map((finding) => findingRow('spec', finding))),
    // What an invalid description changes for clients is not certain.
    ...(lint.length === 0 ? contractRows(state) : []),
    ...shorten(code.map((finding) => findingRow('code', finding))),
    ...sampledRows(state),
    ...verdictRows(state),
  ]
  const times = styleText('dim', describeTimes(state.milliseconds))
  if (rows.length > 0) return ['', head, ...rows, `  ${times}`].join('\n')
  const since = diff && diff.bump !== 'none' ? `  ${diff.bump} since ${diff.base.version}` : ''
  return `${head}  ${styleText('green', 'ok')}${styleText('dim', since)}  ${times}`
}

/** Returns whether the last save is served, and why not; nothing if that is all there is to know. */
export function verdictRows(state: LoopState): readonly string[] {
  const { tone, title, text } = verdictOf(state)
  return tone === 'good' ? [] : [row(tone === 'bad' ? 'red' : 'yellow', title, text)]
}

function findingRow(label: string, { file, line, column, rule, message }: Finding): string {
  const location = `${file}:${line}:${column}`
  return row('red', label, [location, ...(rule === undefined ? [] : [rule]), message].join(' '))
}

/** Returns the breaking changes, or all if the description cannot be released, and why it cannot. */
function contractRows({ diff, gate }: LoopState): readonly string[] {
  const shown = diff?.changes.filter(({ breaking }) => gate.length > 0 || breaking) ?? []
  return [
    ...shorten(shown.map(changeRow)),
    ...shorten(gate.map((error) => row('yellow', 'release', error))),
  ]
}

function changeRow({ breaking, bump, file, line, place, what, consequence }: Change): string {
  const label = breaking ? 'breaking' : bump
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
  return `  ${styleText(style, label.padEnd(14))}  ${text}`
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
