import { isIPv6, SocketAddress } from 'node:net'
import type { Logger } from 'pino'
import type { Caller } from './authenticator.ts'
import { type Counts, type Limits, MemoryRateLimiter, type Outcome } from './memory-rate-limiter.ts'
import type { RedisCounting, RedisRateLimiter } from './redis-rate-limiter.ts'

/** The outcome of a request, and the window that its headers show. */
export interface Verdict {
  readonly outcome: Outcome
  readonly limit: number
  readonly remaining: number
  /** Milliseconds until the window ends. */
  readonly left: number
  /** Milliseconds after which a rejected request may be repeated. */
  readonly retryAfter: number
}

interface LimitsConfig {
  readonly rateLimits: boolean
  readonly redisUrl: string
  readonly anonymousPerMinute: number
  readonly banAfter: number
  readonly banSeconds: number
}

/** The rate limits of callers, and of addresses for requests without valid credentials. */
export type RateLimits = NonNullable<Awaited<ReturnType<typeof openLimits>>>

/** Opens the rate limits of a configuration; undefined when they are off. */
export async function openLimits(config: LimitsConfig, log: Logger, counting: RedisCounting = {}) {
  if (!config.rateLimits) {
    return undefined
  }
  let redis: RedisRateLimiter | undefined
  if (config.redisUrl !== '') {
    // A start without Redis does not load its client.
    const { RedisRateLimiter } = await import('./redis-rate-limiter.ts')
    redis = new RedisRateLimiter(config.redisUrl, log, counting)
    await redis.open()
  }
  const limiter = redis ?? new MemoryRateLimiter()
  const ban = { after: config.banAfter, seconds: config.banSeconds }
  const { anonymousPerMinute } = config
  return {
    /** Absent when each instance counts for itself. */
    redis,
    /** Counts a request of a caller. */
    async countCaller({ id, quota }: Pick<Caller, 'id' | 'quota'>): Promise<Verdict> {
      const { perMinute, perDay } = quota
      const limits = { perMinute, perDay, ban }
      return toVerdict(await limiter.count('key', id, limits), limits)
    },
    /** Counts a request without valid credentials, or only reads what is left for its address. */
    async countAddress(address: string | undefined, isCounted = true): Promise<Verdict> {
      // A request that no limit allows is not counted.
      const limits = { perMinute: isCounted ? anonymousPerMinute : 0 }
      const counts = await limiter.count('address', networkOf(address), limits)
      return toVerdict(counts, { perMinute: anonymousPerMinute })
    },
  }
}

function toVerdict(counts: Counts, { perMinute, perDay }: Limits): Verdict {
  const [outcome, inMinute, minuteLeft, inDay, dayLeft, banLeft] = counts
  const minute = toWindow(perMinute, inMinute, minuteLeft)
  const day = perDay === undefined ? minute : toWindow(perDay, inDay, dayLeft)
  // A retry succeeds after every full window and the ban.
  const full = [minute, day].filter(({ remaining }) => remaining === 0)
  const retryAfter = Math.max(banLeft, ...full.map(({ left }) => left))
  // The headers show the window with the least remaining share, during a ban that of the minute.
  const isBanned = outcome === 'ban-started' || outcome === 'banned'
  const isDay = !isBanned && day.remaining / day.limit < minute.remaining / minute.limit
  return { outcome, retryAfter, ...(isDay ? day : minute) }
}

function toWindow(limit: number, requests: number, left: number) {
  return { limit, remaining: Math.max(0, limit - requests), left }
}

/**
 * Returns the network that an address is counted under: an IPv4 address alone, an IPv6 address with its
 * whole /64, because one subscriber has all of that.
 */
export function networkOf(address = ''): string {
  // Some proxies append the port, or the zone of a link-local address.
  const plain = address.replace(/%[^\]]*/, '')
  const parsed = SocketAddress.parse(isIPv6(plain) ? `[${plain}]` : plain)
  if (parsed === undefined) {
    return 'unknown'
  }
  // An IPv4 address, or one within an IPv6 address (RFC 4291, section 2.5.5.2).
  const [, ipv4] = /^(?:::ffff:)?([\d.]+)$/.exec(parsed.address) ?? []
  if (ipv4 !== undefined) {
    return ipv4
  }
  const parts = parsed.address.split('::').map((part) => part.split(':').filter(Boolean))
  const [start = [], end = []] = parts
  const zeros = Array<string>(8 - start.length - end.length).fill('0')
  return `${[...start, ...zeros, ...end].slice(0, 4).join(':')}::/64`
}
