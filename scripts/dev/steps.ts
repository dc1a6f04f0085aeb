import { count } from '../diff/report.ts'
import { splitLocation } from './located.ts'
import type { Location, LoopState, Obstacle } from './state.ts'
import { countLines, titleOfErrors } from './verdict.ts'

/** Something that is to be done. */
export interface Step {
  /** What to do, in the imperative. */
  readonly text: string
  /** Why, in sentences. */
  readonly reason?: string | undefined
  readonly at?: Location | undefined
  /** Text to be pasted into a file. */
  readonly snippet?: string | undefined
  /** The list of the page that has the details. */
  readonly list?: 'errors' | 'code' | 'operations'
}

/** How many operations a step names. */
const mostNames = 3

/** Returns what is to be done, in the order in which one thing makes the next one possible. */
export function stepsOf(state: LoopState): readonly Step[] {
  const { lint, code, gate, isCompared, isCodeChecked } = state
  const errors: Step = { text: `Fix ${titleOfErrors(state)}.`, list: 'errors' }
  const change: Step = { text: `Change ${count(countLines(code), 'line')} of code.`, list: 'code' }
  return [
    ...(lint.length > 0 ? [errors] : []),
    ...troubleOf(state),
    ...(isCompared ? gate.map(toStep) : []),
    ...(isCodeChecked && code.length > 0 ? [change] : handlersOf(state)),
  ]
}

/** Returns a step for what keeps the service from serving a valid description. */
function troubleOf({ trouble, lint }: LoopState): readonly Step[] {
  if (trouble === undefined || lint.length > 0) {
    return []
  }
  const [, file, line] = / at ([^\s:]+):(\d+)/.exec(trouble) ?? []
  const at = file === undefined ? undefined : { file, line: Number(line), column: 1 }
  return [{ text: 'Fix what keeps the last save from being served.', reason: trouble, at }]
}

function toStep({ problem, fix, snippet }: Obstacle): Step {
  const { at, text } = splitLocation(problem)
  if (fix === undefined) {
    return { text: sentence(text), at, snippet }
  }
  return { text: sentence(fix), reason: sentence(text), at, snippet }
}

/** Returns a step for the operations that have no handler yet. */
function handlersOf({ operations, lint }: LoopState): readonly Step[] {
  const sampled = operations.filter(({ state }) => state === 'sampled')
  if (sampled.length === 0 || lint.length > 0) {
    return []
  }
  const names = sampled.slice(0, mostNames).map(({ operationId }) => `\`${operationId}\``)
  const more = sampled.length - names.length
  const listed = [...names, ...(more > 0 ? [`${more} more`] : [])].join(', ')
  const text = `Write ${sampled.length === 1 ? 'the handler' : 'the handlers'} of ${listed}.`
  const reason = 'Without a handler, an operation responds with samples from the description.'
  return [{ text, reason, list: 'operations' }]
}

/** Returns a text that begins with a capital letter, unless it begins with a name, and ends as a sentence. */
function sentence(text: string): string {
  const isWord = /^[a-z]+ /.test(text)
  const begun = isWord ? text.charAt(0).toUpperCase() + text.slice(1) : text
  return begun.replace(/(?<![.:])$/, '.')
}
