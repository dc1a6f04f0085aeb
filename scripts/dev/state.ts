import type { LoggedRequest, OperationState } from '../../server/dev/design-service.ts'
import type { ContractDiff } from '../diff/contract-diff.ts'

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
  /** Undefined before the first release. */
  readonly diff: ContractDiff | undefined
  readonly operations: readonly OperationState[]
  /** The last 200, newest last. */
  readonly requests: readonly LoggedRequest[]
}

/** The state before the first run. */
export const initialState: LoopState = {
  ...{ run: 0, saved: [], milliseconds: {}, service: undefined, trouble: undefined },
  ...{ lint: [], responses: [], code: [], diff: undefined, operations: [], requests: [] },
}

/** Returns whether the description needs a later version than it has. */
export function isVersionDue({ current, needed }: ContractDiff): boolean {
  return current.version.localeCompare(needed, 'en', { numeric: true }) < 0
}

/** Returns which version the description needs, in a sentence; '' if nothing has changed. */
export function describeVersion(diff: ContractDiff | undefined): string {
  if (diff === undefined || diff.step === 'none') return ''
  const { base, current, needed, step } = diff
  const since = `${step} since ${base.version} (${base.ref})`
  const { version } = current
  if (!isVersionDue(diff)) return `${since}: version ${version} allows for it`
  return `${since}: ${needed} is needed; info.version is ${version}`
}

/** Returns the result of the last run, in a word and in sentences. */
export function verdictOf({ run, lint, responses, code, trouble, service }: LoopState): {
  readonly tone: 'good' | 'warn' | 'bad'
  readonly title: string
  readonly text: string
} {
  if (run === 0) return { tone: 'warn', title: 'Starting', text: 'The first run has not ended.' }
  const inSpec = lint.length + responses.length
  const counts = Object.entries({ spec: inSpec, code: code.length })
  const found = counts.filter(([, count]) => count > 0)
  const listed = found.map(([where, count]) => `${count} in the ${where}`).join(', ')
  const findings = listed === '' ? '' : `Findings: ${listed}. `
  if (lint.length > 0 || trouble !== undefined) {
    const before = service === undefined ? '' : ` The last valid version is served at ${service}.`
    const text = `${findings}The last save is not served${trouble ? `: ${trouble}` : '.'}${before}`
    return { tone: 'bad', title: 'Broken', text }
  }
  if (listed === '') return { tone: 'good', title: 'Healthy', text: 'The last save is served.' }
  const title = code.length > 0 ? 'Code to change' : 'Spec to change'
  const text = `${findings}The last save is served; requests that need this code may fail.`
  return { tone: 'warn', title, text: code.length > 0 ? text : findings }
}
