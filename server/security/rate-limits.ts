import type { Logger } from 'pino'
import type { Caller } from './authenticator.ts'
import {
  type Ban,
  type Counts,
  type Limits,
  MemoryRateLimiter,
  type Outcome,
  type WindowCount,
} from './memory-rate-limiter.ts'
import { networkOf } from './network.ts'
import type { RedisCounting, RedisRateLimiter } from './redis-rate-limiter.ts'

/** The outcome of a request, and the window that its headers show. */
export interface Verdict extends LimitWindow {
  readonly outcome: Outcome
  /** Milliseconds after which a rejected request may be repeated. */
  readonly retryAfter: number
}

/** A window of a limit. */
interface LimitWindow {
  readonly limit: number
  /** Requests that are left in the window. */
  readonly remaining: number
  /** Milliseconds until the window ends. */
  readonly left: number
}

interface LimitsConfig {
  readonly rateLimits: boolean
  readonly redisUrl: string
  readonly anonymousPerMinute: number
  readonly banAfter: number
  readonly banSeconds: number
}

/** Opens the rate limits of a configuration; undefined when they are off. */
export async function openLimits(
  config: LimitsConfig,
  log: Logger,
  counting: RedisCounting = {},
): Promise<RateLimits | undefined> {
  if (!config.rateLimits) {
    return undefined
  }
  if (config.redisUrl === '') {
    return new RateLimits(config)
  }

  // A start without Redis does not load its client.
  const { RedisRateLimiter } = await import('./redis-rate-limiter.ts')
  const redis = new RedisRateLimiter(config.redisUrl, log, counting)
  await redis.open()
  return new RateLimits(config, redis)
}

/** The rate limits of callers, and of addresses for requests without valid credentials. */
export class RateLimits {
  /** Absent when each instance counts for itself. */
  readonly redis: RedisRateLimiter | undefined
  readonly #limiter: MemoryRateLimiter | RedisRateLimiter
  readonly #ofAddress: Limits
  readonly #ban: Ban

  constructor(config: LimitsConfig, redis?: RedisRateLimiter) {
    this.redis = redis
    this.#limiter = redis ?? new MemoryRateLimiter()
    this.#ofAddress = { perMinute: config.anonymousPerMinute }
    this.#ban = { after: config.banAfter, seconds: config.banSeconds }
  }

  /** Counts a request of a caller. */
  async countCaller({ id, quota }: Pick<Caller, 'id' | 'quota'>): Promise<Verdict> {
    const { perMinute, perDay } = quota
    const limits = { perMinute, perDay, ban: this.#ban }
    return toVerdict(await this.#limiter.count('key', id, limits), limits)
  }

  /** Counts a request without valid credentials. */
  async countAddress(address: string | undefined): Promise<Verdict> {
    const counts = await this.#limiter.count('address', networkOf(address), this.#ofAddress)
    return toVerdict(counts, this.#ofAddress)
  }

  /** Returns what is left for an address, without counting the request. */
  async peekAddress(address: string | undefined): Promise<Verdict> {
    // The limiter does not count a request that is over a limit.
    const counts = await this.#limiter.count('address', networkOf(address), { perMinute: 0 })
    return toVerdict(counts, this.#ofAddress)
  }
}

function toVerdict({ outcome, minute, day, banLeft }: Counts, limits: Limits): Verdict {
  const ofMinute = toWindow(limits.perMinute, minute)
  const ofDay = limits.perDay === undefined ? ofMinute : toWindow(limits.perDay, day)

  // A retry succeeds after every full window and the ban.
  const full = [ofMinute, ofDay].filter(({ remaining }) => remaining === 0)
  const retryAfter = Math.max(banLeft, ...full.map(({ left }) => left))

  // The headers show the window with the least remaining share, during a ban that of the minute.
  const isBanned = outcome === 'ban-started' || outcome === 'banned'
  const showsDay = !isBanned && shareOf(ofDay) < shareOf(ofMinute)
  const shownWindow = showsDay ? ofDay : ofMinute
  return { outcome, retryAfter, ...shownWindow }
}

function toWindow(limit: number, { requests, left }: WindowCount): LimitWindow {
  return { limit, remaining: Math.max(0, limit - requests), left }
}

/** Returns the share of a window that is left, from 0 to 1. */
function shareOf({ remaining, limit }: LimitWindow): number {
  return remaining / limit
}
