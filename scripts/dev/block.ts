import { styleText } from 'node:util'
import { type Change, countedChanges, splitRewordings } from '../diff/contract-diff.ts'
import { describeReworded } from '../diff/report.ts'
import type { Finding, LoopState } from './state.ts'
import { verdictOf } from './verdict.ts'

/** How many rows of each kind are printed; the studio page shows all. */
const mostRows = 8

type Style = Parameters<typeof styleText>[0]

/** Returns the text that is printed for a save: one line when nothing is to be done. */
export function writeBlock(state: LoopState, time: Date): string {
  const { saved, lint, code, diff, isCompared } = state
  const head = `${styleText('dim', time.toTimeString().slice(0, 8))}  ${saved.join(', ') || 'started'}`
  const rows = [
    ...shorten(lint.map((finding) => findingRow('spec', finding))),
    // An invalid description does not say for certain what it changes for clients.
    ...(isCompared ? contractRows(state) : []),
    ...shorten(code.map((finding) => findingRow('code', finding))),
    ...sampledRows(state),
    ...verdictRows(state),
  ]
  const times = styleText('dim', describeTimes(state.milliseconds))
  if (rows.length > 0) {
    return ['', head, ...rows, `  ${times}`].join('\n')
  }
  const since = diff && diff.bump !== 'none' ? `  ${diff.bump} since ${diff.base.version}` : ''
  return `${head}  ${styleText('green', 'ok')}${styleText('dim', since)}  ${times}`
}

/** Returns a row that says whether the last save is served, or why not; no row if nothing is to be done. */
export function verdictRows(state: LoopState): readonly string[] {
  const { tone, label, text, reason } = verdictOf(state)
  if (tone === 'good') {
    return []
  }
  const style = tone === 'bad' ? 'red' : 'yellow'
  const textWithReason = reason === undefined ? text : `${text} ${reason}`
  return [row(style, label, textWithReason)]
}

function findingRow(label: string, finding: Finding, style: Style = 'red'): string {
  const { file, line, column, rule, message } = finding
  const location = `${file}:${line}:${column}`
  return row(style, label, [location, ...(rule === undefined ? [] : [rule]), message].join(' '))
}

/**
 * Returns the warnings of the linter, the changes that the save brought, how many there were before,
 * and why the description cannot be released. When it can be, only breaking changes are shown.
 */
function contractRows({ warnings, diff, newChanges, gate }: LoopState): readonly string[] {
  const isReleasable = gate.length === 0
  const { changes, rewordings } = splitRewordings(newChanges)
  const listedChanges = isReleasable ? changes.filter(({ breaking }) => breaking) : changes
  const hasRewordings = rewordings.length > 0 && !isReleasable

  const countSinceRelease = countedChanges(diff?.changes ?? []).length
  const earlier = countSinceRelease - countedChanges(newChanges).length
  const count = earlier === 1 ? '1 earlier change' : `${earlier} earlier changes`
  const earlierChanges = `${count} since ${diff?.base.version}, shown by the studio page and npm run diff`
  const hasEarlierChanges = earlier > 0 && !isReleasable

  return [
    ...warningRows(warnings),
    ...shorten(listedChanges.map(changeRow)),
    ...(hasRewordings ? [row('dim', 'patch', describeReworded(rewordings))] : []),
    ...(hasEarlierChanges ? [row('dim', 'changes', earlierChanges)] : []),
    ...shorten(gate.map(({ message }) => row('yellow', 'release', message))),
    ...gate.flatMap(({ snippet }) => (snippet === undefined ? [] : ['', snippet, ''])),
  ]
}

/** Returns a row for the first warning, with the number of the others. */
function warningRows(warnings: readonly Finding[]): readonly string[] {
  const [first] = warnings
  if (first === undefined) {
    return []
  }
  const omitted = warnings.length - 1
  const more = omitted === 0 ? '' : ` (and ${omitted} more, which the studio page shows)`
  return [`${findingRow('warning', first, 'yellow')}${more}`]
}

function changeRow(change: Change): string {
  const { id, breaking, bump, file, line, place, what, consequence } = change
  const text = `${file}:${line} ${place}: ${what} ${consequence} (${id})`
  return row(breaking ? 'red' : 'cyan', breaking ? 'breaking' : bump, text)
}

function sampledRows({ operations }: LoopState): readonly string[] {
  const sampled = operations.filter(({ state }) => state === 'sampled')
  if (sampled.length === 0) {
    return []
  }
  const names = sampled.slice(0, mostRows).map(({ operationId }) => operationId)
  const more = sampled.length > mostRows ? ` and ${sampled.length - mostRows} more` : ''
  return [row('yellow', 'sampled', `${names.join(', ')}${more}: no handler yet`)]
}

function row(style: Style, label: string, text: string): string {
  return `  ${styleText(style, label.padEnd(14))}  ${text}`
}

function shorten(rows: readonly string[]): readonly string[] {
  if (rows.length <= mostRows) {
    return rows
  }
  const more = `and ${rows.length - mostRows} more, which the studio page shows`
  return [...rows.slice(0, mostRows), row('dim', '', more)]
}

function describeTimes({ total = 0, ...steps }: LoopState['milliseconds']): string {
  const toSeconds = (milliseconds: number) => (milliseconds / 1000).toFixed(2)
  const listed = Object.entries(steps).map(([step, time]) => `${step} ${toSeconds(time)}`)
  return `${toSeconds(total)} s: ${listed.join(', ')}`
}
