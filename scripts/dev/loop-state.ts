import type { ContractDiff } from '../diff/contract-diff.ts'

/** A place in hand-written code that the contract asks to change. */
export interface CodeFault {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
}

/** Something that the linter found in the description. */
export interface LintFinding extends CodeFault {
  readonly rule: string
  readonly severity: 'error' | 'warning'
}

/** An operation, and who answers it. */
export interface OperationState {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly summary?: string
  readonly state: 'implemented' | 'mocked'
  /** The day of its removal, as an RFC 3339 full-date. */
  readonly sunset?: string
  readonly deprecated: boolean
}

/** A request that the service answered. */
export interface LoggedRequest {
  /** When, as an RFC 3339 date-time. */
  readonly at: string
  readonly id: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly milliseconds: number
  /** Where the answer broke the contract. */
  readonly violations: readonly string[]
}

/** What the designer's loop knows after a save. */
export interface LoopState {
  /** Counts the runs, from 1. */
  readonly run: number
  /** The files whose save began the run. */
  readonly saved: readonly string[]
  /** How long each step took, by its name. */
  readonly milliseconds: Readonly<Record<string, number>>
  readonly isHealthy: boolean
  /** The origin of the service that answers, if one does. */
  readonly service: string | undefined
  readonly lint: readonly LintFinding[]
  readonly diff: ContractDiff | undefined
  readonly code: readonly CodeFault[]
  readonly operations: readonly OperationState[]
  /** Newest last, at most 200. */
  readonly requests: readonly LoggedRequest[]
}
