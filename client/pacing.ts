import { runUntil, startTimer } from './cancellation.ts'
import { type RateLimit, readRateLimit } from './hooks.ts'
import { readRetryAfter, timeOf } from './retry.ts'

/** Reports that a request is done, with its response if there was one, and whether it was sent at all. */
type Release = (response: Response | undefined, isSent: boolean) => void

/** Delays requests so that none of them exceeds the rate limit. */
export interface Pacer {
  /** Waits until a request may be sent; rejects with the reason of the signal. */
  readonly acquire: (signal: AbortSignal) => Promise<Release>
}

/** Requests in flight at most: with a rate limit; without one. */
const [maxInFlight, maxUnlimited] = [8, 100]

/** The share of the remaining requests that is in flight at most: other clients use the limit, too. */
const share = 1 / 8

/**
 * Creates a pacer, which reads the `X-RateLimit-*` headers alone. An eighth of the requests that remain
 * may be in flight, one at least and eight at most; when none remain, requests wait for the reset. Without
 * these headers a hundred may be in flight. As long as nothing is known, at first and after a reset, one
 * request is sent at a time.
 */
export function createPacer(): Pacer {
  return new RateLimitPacer()
}

/** A window of the rate limit, as far as responses have reported it; its limit identifies it. */
interface Window {
  readonly limit: number
  /** The least that any response reported: responses overtake each other. */
  remaining: number
  /** By the clock of the service. */
  readonly reset: Date
  /** By `performance.now()`. */
  resetAt: number
  /** The number of the last request whose response reported it. */
  seenBy: number
}

class RateLimitPacer implements Pacer {
  readonly #windows = new Map<number, Window>()
  readonly #queue = new Set<() => void>()
  #sent = 0
  #inFlight = 0
  #isUnlimited = false
  #cancelTimer = (): void => undefined

  async acquire(signal: AbortSignal): Promise<Release> {
    await runUntil(signal, Number.POSITIVE_INFINITY, (own) => {
      return new Promise<void>((start) => {
        this.#queue.add(start)
        own.addEventListener('abort', () => {
          this.#queue.delete(start)
          this.#proceed()
        })
        queueMicrotask(() => this.#proceed())
      })
    })
    const number = ++this.#sent
    return (response, isSent) => {
      this.#inFlight--
      if (isSent) this.#learn(response, number)
      this.#proceed()
    }
  }

  #proceed(): void {
    this.#cancelTimer()
    const windows = [...this.#windows.values()]
    // Read once: a window that ends in between would have neither room nor a timer.
    const now = performance.now()
    for (const start of this.#queue) {
      if (this.#inFlight >= this.#capacityOf(windows, now)) {
        // The end of a request in flight calls this again; that of a full window needs a timer.
        const full = windows.filter((window) => this.#capacityOf([window], now) === 0)
        const wait = Math.max(...full.map(({ resetAt }) => resetAt)) - now
        if (wait > 0) this.#cancelTimer = startTimer(wait, () => this.#proceed())
        return
      }
      this.#queue.delete(start)
      this.#inFlight++
      start()
    }
  }

  /** Returns how many requests may be in flight at once. */
  #capacityOf(windows: readonly Window[], now: number): number {
    const capacities = windows.map(({ resetAt, remaining }) => {
      if (resetAt <= now) return 1
      return remaining < 1 ? 0 : Math.max(1, Math.floor(remaining * share))
    })
    if (windows.length === 0) return this.#isUnlimited ? maxUnlimited : 1
    return Math.min(maxInFlight, ...capacities)
  }

  #learn(response: Response | undefined, number: number): void {
    const rateLimit = response && readRateLimit(response.headers)
    const isRejected = response?.status === 429
    this.#isUnlimited = response !== undefined && !rateLimit && !isRejected
    if (response && rateLimit) this.#updateWindow(rateLimit, response, number)
    if (isRejected) return
    const soon = performance.now() + 120_000
    // A request counts in every window, whichever its response reports. Without one it may have
    // counted, which must not block a window for long.
    for (const window of this.#windows.values()) {
      const isCounted = rateLimit ? window.limit !== rateLimit.limit : window.resetAt < soon
      if (isCounted && window.seenBy < number) window.remaining--
    }
  }

  #updateWindow({ limit, reset, ...rate }: RateLimit, response: Response, number: number): void {
    const isRejected = response.status === 429
    const remaining = isRejected ? 0 : rate.remaining
    const pause = isRejected ? (readRetryAfter(response.headers) ?? 0) * 1000 : 0
    const now = performance.now()
    // The clocks differ: what counts is how far away the reset is.
    const resetAt = now + Math.max(pause, Number(reset) - timeOf(response.headers))
    const known = this.#windows.get(limit)
    const later = known === undefined ? 0 : Number(reset) - Number(known.reset)
    // The end of a window may be rounded in two ways; a response of an earlier window is late.
    if (known === undefined || known.resetAt <= now || later > 1000) {
      this.#windows.set(limit, { limit, remaining, reset, resetAt, seenBy: number })
    } else if (later >= -1000) {
      known.remaining = Math.min(known.remaining, remaining)
      known.resetAt = Math.max(known.resetAt, resetAt)
      known.seenBy = Math.max(known.seenBy, number)
    }
  }
}
