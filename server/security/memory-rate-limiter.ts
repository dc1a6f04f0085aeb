import { LRUCache } from 'lru-cache'

/** Limits of a key, or of an address, which has neither a limit a day nor bans. */
export interface Limits {
  readonly perMinute: number
  readonly perDay?: number
  readonly ban?: Ban
}

/** A ban after so many requests over the limit within a minute. */
export interface Ban {
  readonly after: number
  readonly seconds: number
}

/** The result of counting a request; `ban-started` is the rejection with which a ban begins. */
export type Outcome = 'allowed' | 'limited' | 'ban-started' | 'banned'

/** The requests in a window, which begins with the first of them. */
export interface WindowCount {
  readonly requests: number
  /** Milliseconds until the window ends. */
  readonly left: number
}

/** The result of counting a request, with what its caller has sent before. */
export interface Counts {
  readonly outcome: Outcome
  readonly minute: WindowCount
  readonly day: WindowCount
  /** Milliseconds until a ban ends, if positive. */
  readonly banLeft: number
}

export type CountedKind = 'key' | 'address'

/** Milliseconds of the windows of limits. */
const minuteLength = 60_000
const dayLength = 86_400_000

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

/** A window that has ended. */
const endedWindow: CountedWindow = { requests: 0, end: 0 }

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
    const states = this.#states[kind]
    const state = states.get(id) ?? createState()
    states.set(id, state)
    const minute = currentWindow(state.minute, minuteLength, now)
    const day = currentWindow(state.day, dayLength, now)

    let outcome: Outcome = 'limited'
    if (state.banEnd > now) {
      outcome = 'banned'
    } else if (minute.requests < perMinute && day.requests < perDay) {
      outcome = 'allowed'
      minute.requests++
      day.requests++
      state.minute = minute
      state.day = day
    } else if (ban !== undefined && countRejection(state, ban, now)) {
      outcome = 'ban-started'
    }

    return {
      outcome,
      minute: { requests: minute.requests, left: minute.end - now },
      day: { requests: day.requests, left: day.end - now },
      banLeft: state.banEnd - now,
    }
  }
}

function createState(): State {
  return { minute: endedWindow, day: endedWindow, rejections: endedWindow, banEnd: 0 }
}

/** Counts a request over a limit; returns whether a ban begins with it. */
function countRejection(state: State, ban: Ban, now: number): boolean {
  state.rejections = currentWindow(state.rejections, minuteLength, now)
  state.rejections.requests++
  if (state.rejections.requests < ban.after) {
    return false
  }
  // The next ban takes as many rejections again.
  state.rejections = endedWindow
  state.banEnd = now + ban.seconds * 1000
  return true
}

/** Returns the window if it has not ended, else a new one. */
function currentWindow(window: CountedWindow, length: number, now: number): CountedWindow {
  return window.end > now ? window : { requests: 0, end: now + length }
}
