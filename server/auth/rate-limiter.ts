import { LRUCache } from 'lru-cache'

/** Limits of a key, or of an address, which has neither a limit a day nor bans. */
export interface Limits {
  readonly perMinute: number
  readonly perDay?: number
  readonly ban?: BanRule
}

/** A ban of a key. */
export interface BanRule {
  /** Requests over the limit, within a minute, that lead to a ban. */
  readonly after: number
  readonly seconds: number
}

/** `ban-begun` once: the rejection that the ban begins with. */
export type Outcome = 'allowed' | 'limited' | 'ban-begun' | 'banned'

/** What became of a request, and the counts after it. */
export interface Counts {
  readonly outcome: Outcome
  readonly minute: Count
  readonly day: Count
  /** Milliseconds until the ban ends; zero or less without one. */
  readonly banLeft: number
}

/** Requests in a window of time, which begins with the first of them. */
export interface Count {
  readonly requests: number
  /** Milliseconds until the window ends. */
  readonly left: number
}

export type CountedKind = 'key' | 'address'

/** Counts requests within their limits, and rejections. */
export interface RateLimiter {
  /** Counts a request in one atomic step, however many instances count. */
  readonly count: (kind: CountedKind, id: string, limits: Limits) => Promise<Counts>
}

const minuteLength = 60_000
const dayLength = 86_400_000

/** The most IDs of a kind that are kept; beyond it, the least recently used is dropped. */
const capacity = 100_000
// Unlike `max`, this does not allocate the memory for all of them at the start.
const bound = { maxSize: capacity, sizeCalculation: () => 1 }

interface Window {
  readonly requests: number
  readonly end: number
}

const never: Window = { requests: 0, end: 0 }

/** Counts in this process. `count.lua` is its twin in Redis. */
export class MemoryRateLimiter implements RateLimiter {
  readonly #states = {
    key: new LRUCache<string, State>(bound),
    address: new LRUCache<string, State>(bound),
  }

  async count(kind: CountedKind, id: string, limits: Limits): Promise<Counts> {
    const state = this.#states[kind].get(id) ?? new State()
    this.#states[kind].set(id, state)
    // Monotonic: windows last as long as they should when the clock of the machine is set.
    return state.count(limits, Math.floor(performance.now()))
  }
}

class State {
  #minute = never
  #day = never
  #rejections = never
  #banEnd = 0

  count({ perMinute, perDay = Number.POSITIVE_INFINITY, ban }: Limits, now: number): Counts {
    if (this.#banEnd > now) return this.#counts('banned', now)
    const minute = current(this.#minute, minuteLength, now)
    const day = current(this.#day, dayLength, now)
    if (minute.requests < perMinute && day.requests < perDay) {
      this.#minute = oneMore(minute)
      this.#day = oneMore(day)
      return this.#counts('allowed', now)
    }
    if (ban === undefined) return this.#counts('limited', now)
    this.#rejections = oneMore(current(this.#rejections, minuteLength, now))
    if (this.#rejections.requests < ban.after) return this.#counts('limited', now)
    // The next ban takes as many rejections again.
    this.#rejections = never
    this.#banEnd = now + ban.seconds * 1000
    return this.#counts('ban-begun', now)
  }

  #counts(outcome: Outcome, now: number): Counts {
    const minute = current(this.#minute, minuteLength, now)
    const day = current(this.#day, dayLength, now)
    return {
      outcome,
      minute: { requests: minute.requests, left: minute.end - now },
      day: { requests: day.requests, left: day.end - now },
      banLeft: this.#banEnd - now,
    }
  }
}

/** Returns the window if it has not ended, else a new one. */
function current(window: Window, length: number, now: number): Window {
  return window.end > now ? window : { requests: 0, end: now + length }
}

function oneMore({ requests, end }: Window): Window {
  return { requests: requests + 1, end }
}
