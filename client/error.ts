import type { components } from '../generated/openapi.d.ts'
import type { RateLimit } from './rate-limit.ts'

/** One fault of a refused request. */
export type ErrorDetail = components['schemas']['ErrorDetail']

/** What is known of a failed call. */
export interface FailedCall {
  readonly operationId: string
  /**
   * The contract's error code; where the service gave none, `network_error`, `timeout`,
   * `unexpected_response` or `too_many_pages`.
   */
  readonly code: string
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
  declare readonly code: string
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
