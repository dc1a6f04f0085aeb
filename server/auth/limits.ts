import type { Logger } from 'pino'
import { reasonOf } from '../plain-error.ts'
import { createMemoryRateLimiter } from './memory-rate-limiter.ts'
import { type RateLimiter, RateLimits } from './rate-limits.ts'
import type { RedisOptions, SharedLimitsState } from './redis-rate-limiter.ts'

/** The rate limits of a configuration. */
export interface LimitsConfig {
  readonly rateLimits: boolean
  readonly redisUrl: string
  readonly anonymousPerMinute: number
  readonly banAfter: number
  readonly banSeconds: number
}

/** The rate limits of a service, and where requests are counted. */
export interface OpenLimits {
  /** Absent when limits are off. */
  readonly limits?: RateLimits
  /** Absent when each instance counts for itself. */
  readonly shared?: () => SharedLimitsState
  readonly close: () => Promise<void>
}

/** Options of counting in Redis, for tests. */
export type RedisCounting = Omit<RedisOptions, 'url'>

/** Opens the rate limits of a configuration. */
export async function openLimits(
  config: LimitsConfig,
  log: Logger,
  counting: RedisCounting = {},
): Promise<OpenLimits> {
  const { rateLimits, redisUrl, banAfter, banSeconds, anonymousPerMinute } = config
  if (!rateLimits) return { close: async () => undefined }
  const memory = createMemoryRateLimiter()
  const redis =
    redisUrl === ''
      ? undefined
      : await openRedisRateLimiter({ ...counting, url: redisUrl }, memory, log)
  const ban = { after: banAfter, seconds: banSeconds }
  return {
    limits: new RateLimits(redis ?? memory, ban, anonymousPerMinute),
    ...(redis === undefined ? {} : { shared: redis.state }),
    async close() {
      redis?.close()
    },
  }
}

async function openRedisRateLimiter(options: RedisOptions, fallback: RateLimiter, log: Logger) {
  const { protocol, host, pathname } = new URL(options.url)
  const redis = `${protocol}//${host}${pathname}`
  // A start without Redis does not load its client.
  const { RedisRateLimiter } = await import('./redis-rate-limiter.ts')
  return RedisRateLimiter.open({
    ...options,
    fallback,
    // Only the text: other properties of the error may have what was sent.
    onLost: (error) => log.warn({ redis, reason: reasonOf(error) }, lost),
    onShared: ({ outages, countedAlone }) =>
      log.info({ redis, outages, countedAlone }, 'limits are counted in Redis'),
  })
}

const lost =
  'Limits cannot be counted in Redis now: this instance counts for itself, so that a key may get its limit from each instance. See that Redis runs, can be reached from here and lets this user write; it is tried again every second.'
