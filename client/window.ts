import type { RateLimit } from './rate-limit.ts'
import { readRetryAfter, timeOf } from './retry-after.ts'

/** A window of the limit, as far as answers have told of it. Windows differ in their limit. */
export interface Window {
  readonly limit: number
  /** The least that any answer said is left: answers overtake each other. */
  left: number
  /** By the clock of the service. */
  readonly reset: Date
  /** By `performance.now()`, which nobody sets, as is the next. */
  resetAt: number
  seenAt: number
  /** The last request whose answer told of it. */
  seenBy: number
}

/** How many requests may be under way at once, when some that are over may have been counted. */
export function roomIn(windows: readonly Window[], lost: number): number {
  const now = performance.now()
  const rooms = windows.map((window) => {
    if (window.resetAt > now) {
      // Nobody waits for long because of what may not have been counted.
      const least = window.resetAt - now > 120_000 ? Math.min(1, window.left) : 0
      return Math.max(least, window.left - lost)
    }
    // Answers show the window with the least share left: of one that they do not show is no less.
    const shown = windows.find(({ seenAt, resetAt }) => seenAt > window.resetAt && resetAt > now)
    return shown === undefined ? 1 : Math.max(1, (window.limit * shown.left) / shown.limit)
  })
  return windows.length === 0 ? 1 : Math.floor(Math.min(...rooms))
}

/** Puts what the answer to a request says of its window among those that are known, by their limit. */
export function learn(
  windows: Map<number, Window>,
  { limit, remaining, reset }: RateLimit,
  { status, headers }: Response,
  number: number,
): void {
  const [isRefused, now] = [status === 429, performance.now()]
  const left = isRefused ? 0 : remaining
  const pause = isRefused ? (readRetryAfter(headers) ?? 0) * 1000 : 0
  // The clocks differ: what counts is how far off the reset is.
  const resetAt = now + Math.max(pause, Number(reset) - timeOf(headers))
  const known = windows.get(limit)
  const later = known === undefined ? 0 : Number(reset) - Number(known.reset)
  // The end of a window may be rounded in two ways; an answer of a window that is over is late.
  if (known === undefined || known.resetAt <= now || later > 1000) {
    windows.set(limit, { limit, left, reset, resetAt, seenAt: now, seenBy: number })
  } else if (later >= -1000) {
    known.left = Math.min(known.left, left)
    known.resetAt = Math.max(known.resetAt, resetAt)
    known.seenAt = now
    known.seenBy = Math.max(known.seenBy, number)
  }
  if (isRefused) return
  // A request counts in every window, whichever its answer shows.
  for (const window of windows.values()) {
    if (window.limit !== limit && window.seenBy < number) window.left--
  }
}
