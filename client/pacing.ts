import { runUntil, startTimer } from './cancellation.ts'
import { readRateLimit } from './hooks.ts'
import { readRetryAfter, timeOf } from './retry.ts'

/** Frees the slot of a request; takes its response, if there was one. */
type Release = (response: Response | undefined) => void

/** Delays requests so that they keep to the rate limit. */
export interface Pacer {
  /** Waits until a request may be sent; rejects with the reason of the signal. */
  readonly acquire: (signal: AbortSignal) => Promise<Release>
}

/** The most requests in flight under a rate limit, and without a rate limit. */
const maxInFlight = 4
const maxUnlimited = 8

/** The share of the remaining requests that may be in flight: other clients use the limit, too. */
const share = 1 / 8

/**
 * Creates a pacer, which reads the `X-RateLimit-*` headers of every response. An eighth of the requests
 * that remain may be in flight, one at least and four at most; when none remain, requests wait for the
 * reset, and after a 429 for its `Retry-After`. Eight may be in flight if a success has no such headers.
 */
export function createPacer(): Pacer {
  return new RateLimitPacer()
}

class RateLimitPacer implements Pacer {
  readonly #queue = new Set<() => void>()
  #inFlight = 0
  /** How many requests may be in flight at once; one until a response has reported the limit. */
  #capacity = 1
  /** When requests may be sent again, by `performance.now()`. */
  #blockedUntil = 0
  #cancelTimer = (): void => undefined

  async acquire(signal: AbortSignal): Promise<Release> {
    await runUntil(signal, Infinity, (waitSignal) => {
      return new Promise<void>((start) => {
        this.#queue.add(start)
        waitSignal.addEventListener('abort', () => {
          this.#queue.delete(start)
          this.#proceed()
        })
        this.#proceed()
      })
    })
    return (response) => {
      this.#inFlight--
      if (response) {
        this.#learn(response)
      }
      this.#proceed()
    }
  }

  /** Starts the requests that may be sent now; called again by a timer, or by the end of a request. */
  #proceed(): void {
    this.#cancelTimer()
    for (const start of this.#queue) {
      const wait = this.#blockedUntil - performance.now()
      if (wait > 0) {
        this.#cancelTimer = startTimer(wait, () => this.#proceed())
        return
      }
      if (this.#inFlight >= this.#capacity) {
        return
      }
      this.#queue.delete(start)
      this.#inFlight++
      start()
    }
  }

  #learn({ status, ok, headers }: Response): void {
    const now = performance.now()
    if (status === 429) {
      this.#block(now + (readRetryAfter(headers) ?? 0) * 1000)
    }
    const rateLimit = readRateLimit(headers)
    if (rateLimit) {
      const { remaining, reset } = rateLimit
      // The clocks differ: the wait is measured by that of the service.
      if (remaining === 0) {
        this.#block(now + Number(reset) - timeOf(headers))
      }
      this.#capacity = Math.min(maxInFlight, Math.max(1, Math.floor(remaining * share)))
    } else if (ok) {
      this.#capacity = maxUnlimited
    }
  }

  #block(until: number): void {
    this.#blockedUntil = Math.max(this.#blockedUntil, until)
  }
}
