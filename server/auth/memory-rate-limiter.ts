import { LRUCache } from 'lru-cache'
import {
  type Counts,
  day,
  type Limits,
  minute,
  type Outcome,
  type RateLimiter,
} from './rate-limits.ts'

/** The most IDs of a kind that are kept; beyond it, the least recently used is dropped. */
const capacity = 100_000
// Unlike `max`, this does not allocate the memory for all of them at the start.
const bound = { maxSize: capacity, sizeCalculation: () => 1 }

interface Window {
  readonly requests: number
  readonly end: number
}

interface State {
  minute: Window
  day: Window
  rejections: Window
  banEnd: number
}

const never: Window = { requests: 0, end: 0 }

/** Returns a rate limiter of this process. `count.lua` is its twin in Redis. */
export function createMemoryRateLimiter(): RateLimiter {
  const states = {
    key: new LRUCache<string, State>(bound),
    address: new LRUCache<string, State>(bound),
  }
  const newState = (): State => ({ minute: never, day: never, rejections: never, banEnd: 0 })
  return {
    async count(kind, id, limits) {
      const state = states[kind].get(id) ?? newState()
      states[kind].set(id, state)
      return count(state, limits)
    },
    async read(kind, id) {
      const now = monotonicNow()
      return toCounts('allowed', states[kind].get(id) ?? newState(), now)
    },
  }
}

function count(
  state: State,
  { perMinute, perDay = Number.POSITIVE_INFINITY, ban }: Limits,
): Counts {
  const now = monotonicNow()
  if (state.banEnd > now) return toCounts('banned', state, now)
  const inMinute = current(state.minute, minute, now)
  const inDay = current(state.day, day, now)
  if (inMinute.requests < perMinute && inDay.requests < perDay) {
    state.minute = oneMore(inMinute)
    state.day = oneMore(inDay)
    return toCounts('allowed', state, now)
  }
  if (ban === undefined) return toCounts('limited', state, now)
  state.rejections = oneMore(current(state.rejections, minute, now))
  if (state.rejections.requests < ban.after) return toCounts('limited', state, now)
  // The next ban takes as many rejections again.
  state.rejections = never
  state.banEnd = now + ban.seconds * 1000
  return toCounts('ban-begun', state, now)
}

/** Returns the window if it has not ended, else a new one. */
function current(window: Window, length: number, now: number): Window {
  return window.end > now ? window : { requests: 0, end: now + length }
}

function oneMore({ requests, end }: Window): Window {
  return { requests: requests + 1, end }
}

function toCounts(outcome: Outcome, state: State, now: number): Counts {
  const toCount = ({ requests, end }: Window) => ({ requests, left: end - now })
  return {
    outcome,
    minute: toCount(current(state.minute, minute, now)),
    day: toCount(current(state.day, day, now)),
    banLeft: state.banEnd - now,
  }
}

// Windows last as long as they should when the clock of the machine is set.
function monotonicNow(): number {
  return Math.floor(performance.now())
}
