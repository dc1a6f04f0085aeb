import type { Logger } from 'pino'
import type { StoreUnavailable } from '../store/errors.ts'

export interface RejectionLogOptions {
  /** The message while requests or connections are rejected. */
  readonly begun: string
  readonly over: string
  /** Milliseconds between two lines. */
  readonly interval: number
  /** Returns what the warnings show besides, such as an `action` for operators. */
  readonly details: () => object
}

/**
 * Logs rejections that come in great numbers: a line for the first, their number every interval, and
 * a line when an interval has passed without any.
 */
export class RejectionLog {
  readonly #log: Logger
  readonly #options: RejectionLogOptions
  #timer: NodeJS.Timeout | undefined
  #rejected = 0
  #reported = 0

  constructor(log: Logger, options: RejectionLogOptions) {
    this.#log = log
    this.#options = options
  }

  note(): void {
    this.#rejected++
    if (this.#timer !== undefined) return
    this.#warn()
    this.#timer = setInterval(() => {
      if (this.#rejected > this.#reported) this.#warn()
      else this.stop()
    }, this.#options.interval).unref()
  }

  /** Logs the end, if rejections are going on. */
  stop(): void {
    if (this.#timer === undefined) return
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#log.info({ rejected: this.#rejected }, this.#options.over)
    this.#rejected = this.#reported = 0
  }

  #warn(): void {
    const { begun, details } = this.#options
    this.#log.warn({ rejected: this.#rejected - this.#reported, ...details() }, begun)
    this.#reported = this.#rejected
  }
}

/** Milliseconds between two lines about an outage of the store. */
const outageInterval = 60_000

/**
 * Logs outages of the store: when one begins, every minute while it lasts, and when something that
 * failed succeeds again.
 */
export class StoreOutageLog {
  readonly #log: Logger
  /** What fails, such as an operation; nothing while there is no outage. */
  readonly failing = new Set<string>()
  #since = 0
  #loggedAt = Number.NEGATIVE_INFINITY
  /** Requests that failed since the last line. */
  #requests = 0

  constructor(log: Logger) {
    this.#log = log
  }

  /** Notes that a request failed because of the store. */
  failed(request: Express.Locals, error: StoreUnavailable): void {
    const now = performance.now()
    if (this.failing.size === 0) this.#since = now
    this.failing.add(nameOf(request))
    this.#requests++
    if (now - this.#loggedAt < outageInterval) return
    const requests = this.#requests
    this.#log.error({ requests, err: error.cause ?? error }, `store unavailable: ${error.message}`)
    this.#loggedAt = now
    this.#requests = 0
  }

  /** Notes that a request succeeded: an outage in which the same failed is over. */
  succeeded(request: Express.Locals): void {
    if (!this.failing.has(nameOf(request))) return
    this.failing.clear()
    // An outage soon after another is not logged unless it lasts.
    if (this.#loggedAt < this.#since) return
    const seconds = Math.round((performance.now() - this.#since) / 1_000)
    this.#log.info({ requests: this.#requests, seconds }, 'store available again')
    this.#requests = 0
  }
}

/** Returns what was requested, as one of few names. */
function nameOf({ operation, isApiRequest, path }: Express.Locals): string {
  return operation?.operationId ?? (isApiRequest ? 'no operation' : path)
}
