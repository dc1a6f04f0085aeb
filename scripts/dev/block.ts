import { styleText } from 'node:util'
import type { ContractDiff } from '../diff/contract-diff.ts'
import { compareVersions } from '../diff/version.ts'
import type { LoopState } from './loop-state.ts'

/** How much of each kind is shown in a terminal; the designer's page shows the rest. */
const most = 8
/** The most that is shown of what the compiler says, in characters. */
const longest = 160

type Style = Parameters<typeof styleText>[0]

/** What a run of the loop has to say, for the terminal: one line when all is well. */
export function writeBlock(state: LoopState, time: Date): string {
  const head = headOf(state, time)
  const parts = [
    ...findingsOf(state),
    ...diffOf(state.diff, state.lint.length === 0),
    ...codeOf(state),
    ...mocksOf(state),
    ...(state.trouble === undefined ? [] : [row('red', 'not served', state.trouble)]),
  ]
  const took = paint('dim', describeTimes(state.milliseconds))
  if (parts.length === 0) return `${head}  ${paint('green', 'ok')}${versionOf(state)}  ${took}`
  return ['', head, ...parts, `  ${took}`].join('\n')
}

function headOf({ saved }: LoopState, time: Date): string {
  return `${paint('dim', toClock(time))}  ${saved.join(', ') || 'started'}`
}

function findingsOf({ lint, responses = [] }: LoopState): string[] {
  return shorten(
    [...lint, ...responses].map(({ file, line, column, rule, severity, message }) => {
      const style = severity === 'error' ? 'red' : 'yellow'
      return row(style, 'spec', `${file}:${line}:${column} ${rule} ${message}`)
    }),
  )
}

// What is breaking, and what asks for another version than the description has.
function diffOf(diff: ContractDiff | undefined, isCurrent: boolean): string[] {
  if (diff === undefined || !isCurrent) return []
  const isDue = compareVersions(diff.current.version, diff.needed) < 0
  const shown = isDue ? diff.changes : diff.changes.filter(({ breaking }) => breaking)
  const changes = shown.map(({ breaking, step, place, what, consequence }) =>
    row(
      breaking ? 'red' : 'cyan',
      breaking ? 'breaking' : step,
      `${place}: ${what} ${consequence}`,
    ),
  )
  const { needed, base, current } = diff
  const advice = `${needed} is needed after ${base.version} (${base.ref}), not ${current.version}`
  return [...shorten(changes), ...(isDue ? [row('yellow', 'version', advice)] : [])]
}

function codeOf({ code }: LoopState): string[] {
  return shorten(
    code.map(({ file, line, column, message }) =>
      row('red', 'code', `${file}:${line}:${column} ${cut(message)}`),
    ),
  )
}

function mocksOf({ operations }: LoopState): string[] {
  const names = operations.filter(({ state }) => state === 'mocked').map((each) => each.operationId)
  if (names.length === 0) return []
  const listed = names.slice(0, most).join(', ')
  const more = names.length > most ? ` and ${names.length - most} more` : ''
  return [row('yellow', 'mocked', `${listed}${more}: no handler yet, answered with samples`)]
}

function versionOf({ diff }: LoopState): string {
  if (diff === undefined || diff.step === 'none') return ''
  return paint('dim', `  ${diff.step} since ${diff.base.version}`)
}

// The compiler writes types out; where they are long, their end says little.
function cut(message: string): string {
  return message.length <= longest ? message : `${message.slice(0, longest - 1)}…`
}

function row(style: Style, label: string, text: string): string {
  return `  ${paint(style, label.padEnd(10))}  ${text}`
}

function shorten(rows: readonly string[]): string[] {
  if (rows.length <= most) return [...rows]
  const more = `and ${rows.length - most} more, which /studio shows`
  return [...rows.slice(0, most), row('dim', '', more)]
}

function describeTimes({ total = 0, ...steps }: LoopState['milliseconds']): string {
  const listed = Object.entries(steps).map(([step, time]) => `${step} ${toSeconds(time)}`)
  return `${toSeconds(total)} s${listed.length === 0 ? '' : `: ${listed.join(', ')}`}`
}

function toSeconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(2)
}

function toClock(time: Date): string {
  return time.toTimeString().slice(0, 8)
}

// Colours only where somebody looks at them, and not with NO_COLOR.
function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout })
}
