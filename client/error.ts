import type { components } from '../generated/openapi.d.ts'
import type { RateLimit } from './rate-limit.ts'

/** One fault of a refused request. */
export type ErrorDetail = components['schemas']['ErrorDetail']

/** What tells failures apart: the codes of the contract, our own, and those of a later contract. */
export type ErrorCode =
  | components['schemas']['Error']['code']
  | 'network_error'
  | 'timeout'
  | 'unexpected_response'
  | 'too_many_pages'
  | (string & Record<never, never>)

/** What is known of a failed call. */
export interface FailedCall {
  readonly operationId: string
  readonly code: ErrorCode
  /** How often the request was sent. */
  readonly attempts: number
  /** The HTTP status; undefined when no answer came. */
  readonly status?: number | undefined
  readonly details?: readonly ErrorDetail[] | undefined
  /** The name of the request in the service's log. */
  readonly requestId?: string | undefined
  /** Seconds to wait before the next try. */
  readonly retryAfter?: number | undefined
  readonly rateLimit?: RateLimit | undefined
}

/** A call that did not succeed: the service refused it, or no answer of the contract came. */
export class AnimalStoreError extends Error {
  override readonly name = 'AnimalStoreError'
  declare readonly operationId: string
  declare readonly code: ErrorCode
  declare readonly attempts: number
  declare readonly status: number | undefined
  declare readonly details: readonly ErrorDetail[]
  declare readonly requestId: string | undefined
  declare readonly retryAfter: number | undefined
  declare readonly rateLimit: RateLimit | undefined

  constructor(message: string, call: FailedCall, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    Object.assign(this, { details: [], ...call })
  }
}
