import { LRUCache } from 'lru-cache'

/** Limits of a key, or of an address, which has neither a limit a day nor bans. */
export interface Limits {
  readonly perMinute: number
  readonly perDay?: number
  /** A ban after so many requests over the limit within a minute. */
  readonly ban?: { readonly after: number; readonly seconds: number }
}

/** The result of counting a request; `ban-started` is the rejection with which a ban begins. */
export type Outcome = 'allowed' | 'limited' | 'ban-started' | 'banned'

/**
 * The outcome of a request; the requests in the window of a minute and the milliseconds until it ends;
 * the same for the window of a day; and the milliseconds until a ban ends, if positive. A window begins
 * with its first request.
 */
export type Counts = readonly [
  outcome: Outcome,
  minute: number,
  minuteLeft: number,
  day: number,
  dayLeft: number,
  banLeft: number,
]

export type CountedKind = 'key' | 'address'

/** The most IDs of a kind that are kept; beyond it, the least recently used is dropped. */
const capacity = 100_000
// Unlike `max`, this does not allocate the memory for all of them at the start.
const bound = { maxSize: capacity, sizeCalculation: () => 1 }

interface CountedWindow {
  requests: number
  readonly end: number
}

interface State {
  minute: CountedWindow
  day: CountedWindow
  rejections: CountedWindow
  banEnd: number
}

const never: CountedWindow = { requests: 0, end: 0 }

/** Counts in this process. `count.lua` is the same algorithm in Redis. */
export class MemoryRateLimiter {
  readonly #states = {
    key: new LRUCache<string, State>(bound),
    address: new LRUCache<string, State>(bound),
  }

  /** Counts a request within its limits, or its rejection, in one atomic step. */
  async count(kind: CountedKind, id: string, limits: Limits): Promise<Counts> {
    const { perMinute, perDay = Number.POSITIVE_INFINITY, ban } = limits
    // Monotonic: windows last as long as they should when the clock of the machine is set.
    const now = Math.floor(performance.now())
    const before = this.#states[kind].get(id)
    const state = before ?? { minute: never, day: never, rejections: never, banEnd: 0 }
    this.#states[kind].set(id, state)
    const minute = current(state.minute, 60_000, now)
    const day = current(state.day, 86_400_000, now)
    let outcome: Outcome = 'limited'
    if (state.banEnd > now) {
      outcome = 'banned'
    } else if (minute.requests < perMinute && day.requests < perDay) {
      outcome = 'allowed'
      minute.requests++
      day.requests++
      Object.assign(state, { minute, day })
    } else if (ban !== undefined) {
      state.rejections = current(state.rejections, 60_000, now)
      state.rejections.requests++
      if (state.rejections.requests >= ban.after) {
        outcome = 'ban-started'
        // The next ban takes as many rejections again.
        Object.assign(state, { rejections: never, banEnd: now + ban.seconds * 1000 })
      }
    }
    const { requests, end } = minute
    return [outcome, requests, end - now, day.requests, day.end - now, state.banEnd - now]
  }
}

/** Returns the window if it has not ended, else a new one. */
function current(window: CountedWindow, length: number, now: number): CountedWindow {
  return window.end > now ? window : { requests: 0, end: now + length }
}
