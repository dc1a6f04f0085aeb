import type { ContractDiff } from '../diff/contract-diff.ts'
import type { LoggedRequest, OperationState } from './design-service.ts'

/** A line to change, in the description or in the code. */
export interface Finding {
  readonly file: string
  readonly line: number
  readonly column: number
  /** The rule of the linter that it violates. */
  readonly rule?: string
  readonly message: string
}

/** Everything that the terminal and the studio page show. */
export interface LoopState {
  /** How many saves have been processed. */
  readonly run: number
  readonly saved: readonly string[]
  /** What was saved since then, and is being processed. */
  readonly processing: readonly string[]
  /** The duration of each step, and `total`: steps run at the same time. */
  readonly milliseconds: Readonly<Record<string, number>>
  /** The origin of the service; undefined before the first start. */
  readonly service: string | undefined
  /** Why the last save is not served. */
  readonly trouble: string | undefined
  readonly lint: readonly Finding[]
  /** Where responses that no handler makes violate the description. */
  readonly responses: readonly Finding[]
  readonly code: readonly Finding[]
  /** What keeps the description from being released, as `npm run check` finds it. */
  readonly gate: readonly string[]
  /** Undefined before the first release. */
  readonly diff: ContractDiff | undefined
  readonly operations: readonly OperationState[]
  /** The last 200, newest last. */
  readonly requests: readonly LoggedRequest[]
}

/** The state before the first run. */
export const initialState: LoopState = {
  ...{
    run: 0,
    saved: [],
    processing: [],
    milliseconds: {},
    service: undefined,
    trouble: undefined,
  },
  ...{ lint: [], responses: [], code: [], gate: [], diff: undefined, operations: [], requests: [] },
}

/** Returns the result of the last run, in a word and in sentences. */
export function verdictOf(state: LoopState): {
  readonly tone: 'good' | 'warn' | 'bad'
  readonly title: string
  readonly text: string
} {
  const { run, processing, lint, responses, code, gate, trouble, service } = state
  if (processing.length > 0) {
    return { tone: 'warn', title: 'Processing', text: `${processing.join(', ')} was saved.` }
  }
  if (lint.length > 0 || trouble !== undefined) {
    const reason = trouble === undefined ? '' : ` ${trouble.replace(/\.?$/, '.')}`
    const before = service === undefined ? '' : ` The last valid version is served at ${service}.`
    return { tone: 'bad', title: 'Broken', text: `The last save is not served.${before}${reason}` }
  }
  if (run === 0) return { tone: 'warn', title: 'Starting', text: 'The first run has not ended.' }
  const [title, text] =
    code.length > 0
      ? ['Code to change', 'The last save is served; requests that need this code may fail.']
      : responses.length > 0
        ? ['Spec to change', 'The last save is served; some of its responses violate the spec.']
        : gate.length > 0
          ? ['Not releasable', 'The last save is served; npm run check rejects it.']
          : ['Healthy', 'The last save is served.']
  return { tone: title === 'Healthy' ? 'good' : 'warn', title, text }
}
