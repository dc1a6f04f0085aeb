import type { components } from '../generated/openapi.d.ts'
import type { RateLimit } from './rate-limit.ts'

/** One fault of a refused request. */
export type ErrorDetail = components['schemas']['ErrorDetail']

/** What is known of a failed call. */
export interface FailedCall {
  readonly operationId: string
  /** The contract's error code; `network_error` or `unexpected_response` where there was none. */
  readonly code: string
  /** The HTTP status; undefined when no answer came. */
  readonly status?: number | undefined
  readonly details?: readonly ErrorDetail[] | undefined
  /** The name of the request in the service's log. */
  readonly requestId?: string | undefined
  /** Seconds to wait before the next try. */
  readonly retryAfter?: number | undefined
  readonly rateLimit?: RateLimit | undefined
  /** How often the request was sent. */
  readonly attempts: number
}

/** A call that did not succeed: the service refused it, or no answer of the contract came. */
export class AnimalStoreError extends Error {
  override readonly name = 'AnimalStoreError'
  readonly operationId: string
  readonly code: string
  readonly status: number | undefined
  readonly details: readonly ErrorDetail[]
  readonly requestId: string | undefined
  readonly retryAfter: number | undefined
  readonly rateLimit: RateLimit | undefined
  readonly attempts: number

  constructor(message: string, call: FailedCall, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.operationId = call.operationId
    this.code = call.code
    this.status = call.status
    this.details = call.details ?? []
    this.requestId = call.requestId
    this.retryAfter = call.retryAfter
    this.rateLimit = call.rateLimit
    this.attempts = call.attempts
  }
}
