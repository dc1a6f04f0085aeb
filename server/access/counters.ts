import { LRUCache } from 'lru-cache'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  type RateLimiterRes,
} from 'rate-limiter-flexible'

/** Counts events by name in fixed windows; a window begins with the first event in it. */
export interface Counter {
  /** Counts one more. */
  readonly add: (name: string) => Promise<Count>
  /** Takes one back. */
  readonly undo: (name: string) => Promise<void>
  readonly read: (name: string) => Promise<Count>
  readonly reset: (name: string) => Promise<void>
}

export interface Count {
  readonly events: number
  /** When the window ends, in milliseconds since 1970. */
  readonly resetAt: number
}

/** Makes a counter with windows of a length in seconds. */
export type CreateCounter = (name: string, seconds: number) => Counter

/** The most names that a counter in memory keeps; beyond it, it forgets the least recent. */
const capacity = 100_000

/** Counters that live in this process. */
export const createMemoryCounter: CreateCounter = (name, seconds) => {
  const limiter = new RateLimiterMemory({ keyPrefix: name, points: 1, duration: seconds })
  const counter = toCounter(limiter, seconds)
  const recent = new LRUCache<string, true>({
    max: capacity,
    dispose: (_, name, reason) => void (reason === 'evict' && limiter.delete(name)),
  })
  return {
    ...counter,
    add(name) {
      recent.set(name, true)
      return counter.add(name)
    },
  }
}

// Limits differ from key to key, so the library counts and the caller compares.
function toCounter(limiter: RateLimiterAbstract, seconds: number): Counter {
  return {
    add: async (name) => toCount(await limiter.penalty(name), seconds),
    // What belongs to a window that is over is gone with it.
    undo: async (name) => void ((await limiter.get(name)) && (await limiter.reward(name))),
    read: async (name) => toCount(await limiter.get(name), seconds),
    reset: async (name) => void (await limiter.delete(name)),
  }
}

function toCount(result: RateLimiterRes | null, seconds: number): Count {
  // A window that is over may still be listed until its timer has run.
  if (result === null || result.msBeforeNext <= 0) {
    return { events: 0, resetAt: Date.now() + seconds * 1000 }
  }
  return { events: result.consumedPoints, resetAt: Date.now() + result.msBeforeNext }
}
