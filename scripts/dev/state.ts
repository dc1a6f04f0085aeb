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

/** Returns the version that the description needs, in a sentence; '' if nothing has changed. */
export function describeVersion(diff: ContractDiff | undefined): string {
  if (diff === undefined || diff.step === 'none') return ''
  const { base, current, needed, step } = diff
  const since = `${step} since ${base.version} (${base.ref})`
  return isVersionDue(diff)
    ? `${since}: set info.version to ${needed}; it is ${current.version}.`
    : `${since}: version ${current.version} allows for it.`
}

/** Returns how the last run went, in a word and in a sentence. */
export function verdictOf({ lint, responses, code, trouble, service }: LoopState): {
  readonly tone: 'good' | 'warn' | 'bad'
  readonly title: string
  readonly text: string
} {
  const inSpec = lint.length + responses.length
  const found = [
    ...(inSpec > 0 ? [count(inSpec, 'error in the spec', 'errors in the spec')] : []),
    ...(code.length > 0 ? [count(code.length, 'line of code', 'lines of code')] : []),
  ].join(' and ')
  const toChange = found === '' ? '' : `${found} to change. `
  if (lint.length > 0 || trouble !== undefined) {
    const reason = trouble === undefined ? '' : `The last save is not served: ${trouble} `
    const last =
      service === undefined
        ? 'There is no service yet.'
        : `The service before it is still running at ${service}.`
    return { tone: 'bad', title: 'Broken', text: toChange + reason + last }
  }
  if (found === '') return { tone: 'good', title: 'Healthy', text: 'The last save is served.' }
  const text = `${toChange}The last save is served; requests that need that code may fail.`
  if (code.length === 0) return { tone: 'warn', title: 'Spec to change', text: toChange }
  return { tone: 'warn', title: 'Code to change', text }
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`
}
