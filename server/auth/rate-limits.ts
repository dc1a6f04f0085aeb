import { isIPv6, SocketAddress } from 'node:net'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { KeyRecord } from '../store/key-store.ts'
import type { RedisOptions, RedisRateLimiter } from './redis-rate-limiter.ts'

/** Requests that an API key may make. */
export interface Quota {
  readonly perMinute: number
  readonly perDay: number
}

/** The quota of each plan; that of `custom` is set for each key when it is issued. */
export const plans = {
  free: { perMinute: 60, perDay: 1_000 },
  pro: { perMinute: 300, perDay: 10_000 },
  business: { perMinute: 1_000, perDay: 100_000 },
  enterprise: 'custom',
} as const satisfies Record<string, Quota | 'custom'>

export type Plan = keyof typeof plans

export function isPlan(name: string): name is Plan {
  return Object.hasOwn(plans, name)
}

/** Limits of a key, or of an address, which has neither a limit a day nor bans. */
export interface Limits {
  readonly perMinute: number
  readonly perDay?: number
  /** A ban after so many requests over the limit within a minute. */
  readonly ban?: { readonly after: number; readonly seconds: number }
}

/** `ban-started` once: the rejection that the ban begins with. */
export type Outcome = 'allowed' | 'limited' | 'ban-started' | 'banned'

/**
 * What became of a request. Then the requests in the windows of a minute and of a day, which begin with
 * the first of them, each with the milliseconds left of it; and those left of a ban, if positive.
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

/** Counts requests within their limits, and rejections. */
export interface RateLimiter {
  /** Counts a request in one atomic step, however many instances count. */
  readonly count: (kind: CountedKind, id: string, limits: Limits) => Promise<Counts>
}

/** Whether a request is within its limits, and what the headers show of them. */
export interface Verdict {
  readonly outcome: Outcome
  readonly limit: number
  readonly remaining: number
  /** Milliseconds until the window ends. */
  readonly left: number
  /** Milliseconds after which a rejected request may be repeated. */
  readonly retryAfter: number
}

/** Options of counting in Redis, for tests. */
export type RedisCounting = Omit<RedisOptions, 'url'>

interface LimitsConfig {
  readonly rateLimits: boolean
  readonly redisUrl: string
  readonly anonymousPerMinute: number
  readonly banAfter: number
  readonly banSeconds: number
}

/** The rate limits of API keys, and of addresses for requests without a valid key. */
export type RateLimits = NonNullable<Awaited<ReturnType<typeof openLimits>>>

/** Opens the rate limits of a configuration; undefined when they are off. */
export async function openLimits(config: LimitsConfig, log: Logger, counting: RedisCounting = {}) {
  if (!config.rateLimits) return undefined
  const memory = new MemoryRateLimiter()
  let redis: RedisRateLimiter | undefined
  if (config.redisUrl !== '') {
    // A start without Redis does not load its client.
    const { RedisRateLimiter } = await import('./redis-rate-limiter.ts')
    redis = new RedisRateLimiter({ ...counting, url: config.redisUrl }, memory, log)
    await redis.open()
  }
  const limiter: RateLimiter = redis ?? memory
  const ban = { after: config.banAfter, seconds: config.banSeconds }
  const { anonymousPerMinute } = config
  return {
    /** Absent when each instance counts for itself. */
    redis,
    /** Counts a request with a key. */
    async countKey({ id, perMinute, perDay }: KeyRecord): Promise<Verdict> {
      const limits = { perMinute, perDay, ban }
      return toVerdict(await limiter.count('key', id, limits), limits)
    },
    /** Counts a request without a valid key, or only reads what is left for its address. */
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
  const isDay = !isBanned && shareOf(day) < shareOf(minute)
  return { outcome, retryAfter, ...(isDay ? day : minute) }
}

function toWindow(limit: number, requests: number, left: number) {
  return { limit, remaining: Math.max(0, limit - requests), left }
}

function shareOf({ remaining, limit }: Pick<Verdict, 'remaining' | 'limit'>): number {
  return limit === 0 ? 0 : remaining / limit
}

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
class MemoryRateLimiter implements RateLimiter {
  readonly #states = {
    key: new LRUCache<string, State>(bound),
    address: new LRUCache<string, State>(bound),
  }

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
    if (state.banEnd > now) outcome = 'banned'
    else if (minute.requests < perMinute && day.requests < perDay) {
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

/**
 * Returns the network that an address is counted under: an IPv4 address alone, an IPv6 address with its
 * whole /64, because one subscriber has all of that.
 */
export function networkOf(address = ''): string {
  // Some proxies append the port, or the zone of a link-local address.
  const plain = address.replace(/%[^\]]*/, '')
  const parsed = SocketAddress.parse(isIPv6(plain) ? `[${plain}]` : plain)
  if (parsed === undefined) return 'unknown'
  // An IPv4 address, or one within an IPv6 address (RFC 4291, section 2.5.5.2).
  const [, ipv4] = /^(?:::ffff:)?([\d.]+)$/.exec(parsed.address) ?? []
  if (ipv4 !== undefined) return ipv4
  const parts = parsed.address.split('::').map((part) => part.split(':').filter(Boolean))
  const [start = [], end = []] = parts
  const zeros = Array<string>(8 - start.length - end.length).fill('0')
  return `${[...start, ...zeros, ...end].slice(0, 4).join(':')}::/64`
}
