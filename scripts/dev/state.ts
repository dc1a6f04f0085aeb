import { type Change, type ContractDiff, compareVersions } from '../diff/contract-diff.ts'
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

/** Something that keeps the description from being released. */
export interface Obstacle {
  readonly message: string
  /** Text to be pasted into a file. */
  readonly snippet?: string | undefined
}

/** Everything that the terminal and the studio page show. */
export interface LoopState {
  /** How many saves have been processed. */
  readonly run: number
  readonly saved: readonly string[]
  /** The files that were saved since then, and are being processed. */
  readonly processing: readonly string[]
  /** The duration of each step, and `total`: steps run at the same time. */
  readonly milliseconds: Readonly<Record<string, number>>
  /** The origin of the service; undefined before the first start. */
  readonly service: string | undefined
  /** The URL of its reference. */
  readonly reference: string
  /** Why the last save is not served. */
  readonly trouble: string | undefined
  /** Errors of the linter; while there are any, the description is not served. */
  readonly lint: readonly Finding[]
  /** Warnings of the linter about a valid description. */
  readonly warnings: readonly Finding[]
  readonly code: readonly Finding[]
  /** Why the description cannot be released, as `npm run check` says it. */
  readonly gate: readonly Obstacle[]
  /** Undefined before the first release. */
  readonly diff: ContractDiff | undefined
  /** Whether `diff` and `gate` are of the last save, whose description can be compared. */
  readonly isCompared: boolean
  /** Whether `code` is of the last save: the types of an invalid description are not checked. */
  readonly isCodeChecked: boolean
  /** The changes of `diff` that the last save brought. */
  readonly newChanges: readonly Change[]
  readonly operations: readonly OperationState[]
  /** The last 200, newest last. */
  readonly requests: readonly LoggedRequest[]
}

/** The state before the first run. */
export const initialState: LoopState = {
  run: 0,
  saved: [],
  processing: [],
  milliseconds: {},
  service: undefined,
  reference: '',
  trouble: undefined,
  lint: [],
  warnings: [],
  code: [],
  gate: [],
  diff: undefined,
  isCompared: false,
  isCodeChecked: false,
  newChanges: [],
  operations: [],
  requests: [],
}

interface Verdict {
  readonly tone: 'good' | 'warn' | 'bad'
  readonly title: string
  readonly text: string
}

/** Returns the result of the last run, in a word and in sentences. */
export function verdictOf(state: LoopState): Verdict {
  const { run, processing, lint, trouble, service } = state
  if (processing.length > 0) {
    return { tone: 'warn', title: 'Processing', text: `${processing.join(', ')} was saved.` }
  }
  if (lint.length > 0 || trouble !== undefined) {
    const reason = trouble === undefined ? '' : ` ${trouble.replace(/\.?$/, '.')}`
    const before = service === undefined ? '' : ` The last valid version is served at ${service}.`
    return { tone: 'bad', title: 'Broken', text: `The last save is not served.${before}${reason}` }
  }
  if (run === 0) {
    return { tone: 'warn', title: 'Starting', text: 'The first run has not ended.' }
  }
  return verdictOfServed(state)
}

function verdictOfServed({ code, gate, diff }: LoopState): Verdict {
  const served = 'The last save is served'
  if (code.length > 0) {
    const text = `${served}; requests that need this code may fail.`
    return { tone: 'warn', title: 'Code to change', text }
  }
  if (gate.length === 0) {
    return { tone: 'good', title: 'Healthy', text: `${served}.` }
  }
  const isTooLow = diff !== undefined && compareVersions(diff.current.version, diff.needed) < 0
  if (isTooLow && gate.length === 1) {
    const text = `${served}; to release it, write version: ${diff.needed}.`
    return { tone: 'warn', title: 'Version to raise', text }
  }
  return { tone: 'warn', title: 'Not releasable', text: `${served}; npm run check rejects it.` }
}
