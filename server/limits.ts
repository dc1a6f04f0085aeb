import type { Logger } from 'pino'
import { createAddressLimit } from './access/address-limit.ts'
import type { AdmissionOptions } from './access/admission.ts'
import { createKeyLimits } from './access/key-limits.ts'
import { createMemoryTally } from './access/memory-tally.ts'
import type { RedisOptions, TallyState } from './access/redis/redis-tally.ts'
import type { Tally } from './access/tally.ts'
import type { Config } from './config.ts'
import { reasonOf } from './reason.ts'

/** The limits of a service, and what they are counted in. */
export interface OpenLimits {
  /** Absent when limits are off. */
  readonly limits?: NonNullable<AdmissionOptions['limits']>
  /** Absent when each instance counts for itself. */
  readonly shared?: () => TallyState
  readonly close: () => Promise<void>
}

/** How limits are counted in Redis; what is left out is as in production. */
export type RedisCounting = Omit<RedisOptions, 'url' | 'ban'>

/** Opens the limits that a configuration asks for. */
export async function openLimits(
  config: Config,
  log: Logger,
  counting: RedisCounting = {},
): Promise<OpenLimits> {
  if (!config.rateLimits) return { close: async () => undefined }
  const ban = { after: config.banAfter, seconds: config.banSeconds }
  const own = createMemoryTally(ban)
  const shared =
    config.redisUrl === ''
      ? undefined
      : await openSharedTally({ ...counting, url: config.redisUrl, ban }, own, log)
  const tally = shared ?? own
  const limit = config.anonymousPerMinute
  return {
    limits: {
      ofKey: createKeyLimits(tally),
      ofAddress: createAddressLimit(tally, limit),
    },
    ...(shared === undefined ? {} : { shared: shared.state }),
    async close() {
      shared?.close()
    },
  }
}

async function openSharedTally(redis: RedisOptions, own: Tally, log: Logger) {
  const { protocol, host, pathname } = new URL(redis.url)
  const place = `${protocol}//${host}${pathname}`
  // A start without Redis does not load its client.
  const { RedisTally } = await import('./access/redis/redis-tally.ts')
  return RedisTally.open({
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
