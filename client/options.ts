import type { CommonCallOptions } from './call.ts'
import type { DeprecationNotice } from './deprecation.ts'
import type { Pacer } from './pacing.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Retry } from './retry.ts'

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

/** Throws a `TypeError` for what cannot be a header or a URL, with nothing of it in the message. */
export function checkOptions({ baseUrl, apiKey }: AnimalStoreOptions): void {
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError('apiKey must be visible ASCII characters, at least one.')
  }
  const { protocol = '', username, password } = parse(baseUrl)
  // An empty query or hash would swallow the paths as well.
  if (!/^https?:$/.test(protocol) || username || password || /[?#]/.test(baseUrl)) {
    throw new TypeError('baseUrl must be an http or https URL without user name, query or hash.')
  }
}

function parse(baseUrl: string): Partial<URL> {
  try {
    // In a browser, it may be relative to the page.
    const page = globalThis.location?.href
    return page === undefined ? new URL(baseUrl) : new URL(baseUrl, page)
  } catch {
    return {}
  }
}
