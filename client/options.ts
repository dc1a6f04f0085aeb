import type { CommonCallOptions } from './call.ts'
import type { DeprecationNotice } from './deprecation.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Fetch } from './resilient-fetch.ts'
import type { Retry } from './retry.ts'

/** What a client is made of. */
export interface AnimalStoreOptions extends Pick<CommonCallOptions, 'retry' | 'timeout'> {
  /** Where the service is, its version segment included, such as `https://host.example/v1`. */
  readonly baseUrl: string
  readonly apiKey: string
  /** Sends the requests; the global `fetch` unless it is given. */
  readonly fetch?: Fetch
  /** Whether to slow down before the limit is met, from what the answers say of it. */
  readonly pace?: boolean
  /** Told of every attempt that is about to be repeated. */
  readonly onRetry?: (retry: Retry) => void
  /** Told of what is left of the limit, with every answer that says so. */
  readonly onRateLimit?: (rateLimit: RateLimit) => void
  /** Told of every deprecated operation that is called, once; a console warning unless given. */
  readonly onDeprecation?: (notice: DeprecationNotice) => void
}
