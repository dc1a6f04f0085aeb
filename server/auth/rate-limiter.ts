import type { Quota } from './plans.ts'

/** Events in a window; it begins with the first of them. */
export interface Count {
  readonly events: number
  /** When the window ends, in milliseconds since 1970. */
  readonly resetAt: number
}

/** What became of a request with a key, and what is counted of that key. */
export interface KeyCount {
  /** `ban-begun` once: the refusal that the ban begins with. */
  readonly outcome: 'allowed' | 'limited' | 'ban-begun' | 'banned'
  readonly minute: Count
  readonly day: Count
  /** When the ban ends, in milliseconds since 1970; long past without one. */
  readonly bannedUntil: number
}

/** Where requests are counted. Each call is one step, whoever else is counting. */
export interface RateLimiter {
  /** Counts a request of a key when that is within its quota, and as a refusal when it is not. */
  readonly countKey: (keyId: string, quota: Quota) => Promise<KeyCount>
  /** Counts a request without a valid key from a network. */
  readonly countAddress: (network: string) => Promise<Count>
  readonly readAddress: (network: string) => Promise<Count>
}

export interface BanRule {
  /** Refusals within a minute that lead to a ban. */
  readonly after: number
  readonly seconds: number
}

/** Lengths of windows, in milliseconds. */
export const minute = 60_000
export const day = 86_400_000
