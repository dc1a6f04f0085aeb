import type { ContractDiff } from '../diff/contract-diff.ts'

/** What the linter says of a place in the description. */
export interface LintFinding {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly rule: string
  readonly severity: 'error' | 'warning'
  readonly message: string
}

/** What the compiler says of a place in hand-written code. */
export interface CodeFault {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
}

/** An operation of the description that is served, and what answers it. */
export interface OperationState {
  readonly operationId: string
  /** In lower case, as OpenAPI writes it. */
  readonly method: string
  readonly path: string
  readonly summary?: string
  readonly state: 'implemented' | 'mocked'
  /** The day of its removal, as an RFC 3339 full-date. */
  readonly sunset?: string
  readonly deprecated: boolean
}

/** A request as the service answered it. */
export interface LoggedRequest {
  /** When it came, as an RFC 3339 date-time. */
  readonly at: string
  /** The `X-Request-Id` of its answer. */
  readonly id: string
  readonly method: string
  /** The path with its query, as it was sent. */
  readonly path: string
  readonly status: number
  readonly milliseconds: number
  /** Where the answer breaks the contract. */
  readonly violations: readonly string[]
  /** The `code` of the Error object that was answered. */
  readonly code?: string
}

/** Everything that the loop knows, as it is shown in the terminal and on the designer's page. */
export interface LoopState {
  /** How many times the loop has run. */
  readonly run: number
  /** The files whose saving led to the last run. */
  readonly saved: readonly string[]
  /** How long each step of the last run took, and `total`, because steps run side by side. */
  readonly milliseconds: Readonly<Record<string, number>>
  readonly isHealthy: boolean
  /** How many times the loop has built the reference page. */
  readonly referenceBuilds: number
  /** Where the service answers; absent while there is none. */
  readonly service: string | undefined
  /** Why what was saved last is not served. */
  readonly trouble?: string | undefined
  readonly lint: readonly LintFinding[]
  /** Where responses that the service makes itself violate the description that is served. */
  readonly responses?: readonly LintFinding[]
  readonly diff: ContractDiff | undefined
  readonly code: readonly CodeFault[]
  readonly operations: readonly OperationState[]
  /** The newest last, at most 200. */
  readonly requests: readonly LoggedRequest[]
}
