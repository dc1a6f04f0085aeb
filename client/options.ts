import type { CommonCallOptions } from './call-options.ts'
import type { DeprecationNotice, Retry } from './notices.ts'
import type { Pacer } from './pacing.ts'
import type { RateLimit } from './rate-limit.ts'

/**
 * What a client is made of. Callbacks only watch: what one throws is shown on the console, and
 * breaks no call.
 */
export interface AnimalStoreOptions extends Pick<CommonCallOptions, 'retry' | 'timeout'> {
  /** Where the service is, its version segment included, such as `https://host.example/v1`. */
  readonly baseUrl: string
  readonly apiKey: string
  /** Sends the requests; the global `fetch` unless it is given. */
  readonly fetch?: (request: Request) => Promise<Response>
  /**
   * Slows calls down before the limit is met: what `createPacer` made. A call then waits for as
   * long as the limit asks, unless `timeout.total` or a signal ends it. Clients of one key share one.
   */
  readonly pacer?: Pacer
  /** Told of every attempt that is about to be repeated. */
  readonly onRetry?: (retry: Retry) => void
  /** Told of what is left of the limit, with every answer that says so. */
  readonly onRateLimit?: (rateLimit: RateLimit) => void
  /** Told of every deprecated operation that is called, once; a console warning unless given. */
  readonly onDeprecation?: (notice: DeprecationNotice) => void
}
