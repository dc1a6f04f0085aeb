import type { Quota } from './plans.ts'
import type { Count, KeyCount, RateLimiter } from './rate-limiter.ts'
import { bindingWindow, type Window } from './window.ts'

/** Whether a request is within its key's limits, and what is left. */
export interface LimitVerdict {
  readonly outcome: KeyCount['outcome']
  /** The window that the headers show. */
  readonly window: Window
  /** When a refused request may be tried again, in milliseconds since 1970. */
  readonly retryAt: number
}

export type KeyLimits = (keyId: string, quota: Quota) => Promise<LimitVerdict>

/** Counts the requests of each key against its minute and its day, and bans those that go on. */
export function createKeyLimits(limiter: Pick<RateLimiter, 'countKey'>): KeyLimits {
  return async function count(keyId, quota) {
    return toVerdict(await limiter.countKey(keyId, quota), quota)
  }
}

function toVerdict(count: KeyCount, { perMinute, perDay }: Quota): LimitVerdict {
  const { outcome } = count
  const minute = toWindow(count.minute, perMinute)
  const day = toWindow(count.day, perDay)
  const ends = [minute, day]
    .filter(({ remaining }) => remaining === 0)
    .map(({ resetAt }) => resetAt)
  if (outcome === 'allowed')
    return { outcome, window: bindingWindow(minute, day), retryAt: Date.now() }
  if (outcome === 'limited') {
    return { outcome, window: bindingWindow(minute, day), retryAt: Math.max(...ends) }
  }
  // It helps to wait until the ban and every full window are over.
  return { outcome, window: minute, retryAt: Math.max(count.bannedUntil, ...ends) }
}

function toWindow({ events, resetAt }: Count, limit: number): Window {
  return { limit, remaining: Math.max(0, limit - events), resetAt }
}
