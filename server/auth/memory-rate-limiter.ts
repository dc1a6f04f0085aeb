import { LRUCache } from 'lru-cache'
import type { Quota } from './plans.ts'
import {
  type BanRule,
  type Count,
  day,
  type KeyCount,
  minute,
  type RateLimiter,
} from './rate-limiter.ts'

/** The most names of a kind that are kept; beyond it, the least recent is forgotten. */
export const capacity = 100_000
// In place of `max`, which takes the memory for all of them at the start.
const bound = { maxSize: capacity, sizeCalculation: () => 1 }

interface KeyState {
  minute: Count
  day: Count
  refusals: Count
  bannedUntil: number
}

const never: Count = { events: 0, resetAt: 0 }

/** Makes a limiter that lives in this process. `count-key.lua` decides as it does. */
export function createMemoryRateLimiter(ban: BanRule): RateLimiter {
  const keys = new LRUCache<string, KeyState>(bound)
  const addresses = new LRUCache<string, Count>(bound)

  function stateOf(keyId: string): KeyState {
    const known = keys.get(keyId)
    if (known !== undefined) return known
    const state = { minute: never, day: never, refusals: never, bannedUntil: 0 }
    keys.set(keyId, state)
    return state
  }

  const peekAddress = (network: string) => running(addresses.get(network) ?? never, minute)
  return {
    countKey: async (keyId, quota) => countKey(stateOf(keyId), quota, ban),
    async countAddress(network) {
      const count = oneMore(peekAddress(network))
      addresses.set(network, count)
      return count
    },
    readAddress: async (network) => peekAddress(network),
  }
}

function countKey(state: KeyState, { perMinute, perDay }: Quota, ban: BanRule): KeyCount {
  const now = Date.now()
  const inMinute = running(state.minute, minute)
  const inDay = running(state.day, day)
  const counts = { minute: inMinute, day: inDay, bannedUntil: state.bannedUntil }
  const banLength = ban.seconds * 1000
  if (isRunning(state.bannedUntil, banLength, now)) return { ...counts, outcome: 'banned' }
  if (inMinute.events < perMinute && inDay.events < perDay) {
    state.minute = oneMore(inMinute)
    state.day = oneMore(inDay)
    return { ...counts, outcome: 'allowed', minute: state.minute, day: state.day }
  }
  state.refusals = oneMore(running(state.refusals, minute))
  if (state.refusals.events < ban.after) return { ...counts, outcome: 'limited' }
  // The next ban takes as many refusals again.
  state.refusals = never
  state.bannedUntil = now + banLength
  return { ...counts, outcome: 'ban-begun', bannedUntil: state.bannedUntil }
}

/** The window as it is now: a new one when it is over. */
function running(count: Count, length: number): Count {
  const now = Date.now()
  return isRunning(count.resetAt, length, now) ? count : { events: 0, resetAt: now + length }
}

/** Whether a window or a ban goes on. What ends too late began before the clock was set back. */
function isRunning(end: number, length: number, now: number): boolean {
  return end > now && end <= now + length
}

function oneMore({ events, resetAt }: Count): Count {
  return { events: events + 1, resetAt }
}
