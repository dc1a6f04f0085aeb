import type { Logger } from 'pino'
import { reasonOf } from '../reason.ts'
import { createAddressLimit } from './address-limit.ts'
import type { AdmissionOptions } from './admission.ts'
import { createKeyLimits } from './key-limits.ts'
import { createMemoryRateLimiter } from './memory-rate-limiter.ts'
import type { RateLimiter } from './rate-limiter.ts'
import type { RedisOptions, SharedLimitsState } from './redis-rate-limiter.ts'

/** What the limits are, and where they are counted. */
export interface LimitsConfig {
  readonly rateLimits: boolean
  readonly redisUrl: string
  readonly anonymousPerMinute: number
  readonly banAfter: number
  readonly banSeconds: number
}

/** The limits of a service, and what they are counted in. */
export interface OpenLimits {
  /** Absent when limits are off. */
  readonly limits?: NonNullable<AdmissionOptions['limits']>
  /** Absent when each instance counts for itself. */
  readonly shared?: () => SharedLimitsState
  readonly close: () => Promise<void>
}

/** How limits are counted in Redis; what is left out is as in production. */
export type RedisCounting = Omit<RedisOptions, 'url' | 'ban'>

/** Opens the limits that a configuration asks for. */
export async function openLimits(
  config: LimitsConfig,
  log: Logger,
  counting: RedisCounting = {},
): Promise<OpenLimits> {
  if (!config.rateLimits) return { close: async () => undefined }
  const ban = { after: config.banAfter, seconds: config.banSeconds }
  const own = createMemoryRateLimiter(ban)
  const shared =
    config.redisUrl === ''
      ? undefined
      : await openSharedRateLimiter({ ...counting, url: config.redisUrl, ban }, own, log)
  const limiter = shared ?? own
  const limit = config.anonymousPerMinute
  return {
    limits: {
      ofKey: createKeyLimits(limiter),
      ofAddress: createAddressLimit(limiter, limit),
    },
    ...(shared === undefined ? {} : { shared: shared.state }),
    async close() {
      shared?.close()
    },
  }
}

async function openSharedRateLimiter(redis: RedisOptions, own: RateLimiter, log: Logger) {
  const { protocol, host, pathname } = new URL(redis.url)
  const place = `${protocol}//${host}${pathname}`
  // A start without Redis does not load its client.
  const { RedisRateLimiter } = await import('./redis-rate-limiter.ts')
  return RedisRateLimiter.open({
    ...redis,
    own,
    // Only the text: what else an error holds may be what was sent.
    onLost: (error) => log.warn({ redis: place, reason: reasonOf(error) }, lost),
    onShared: ({ outages, countedAlone }) =>
      log.info({ redis: place, outages, countedAlone }, 'limits are counted in Redis'),
  })
}

const lost =
  'Limits cannot be counted in Redis now: this instance counts for itself, so that a key may get its limit from each instance. See that Redis runs, can be reached from here and lets this user write; it is tried again every second.'
