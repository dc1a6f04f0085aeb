import type { Logger } from 'pino'
import { digestOf, issueKey } from '../auth/api-key.ts'
import type { KeyCache } from '../auth/key-cache.ts'
import { plans } from '../auth/rate-limits.ts'
import type { Config } from '../config.ts'
import { type Service, type ServiceOptions, serve } from '../service.ts'
import { createMock } from './mock.ts'

/** Starts a service without a store: every operation responds with a sample. */
export async function startMockService(
  config: Config,
  log: Logger,
  options: Pick<ServiceOptions, 'api'> = {},
): Promise<Service> {
  const dependencies = {
    handlers: {},
    keyCache: anyKey,
    usage: { count: () => undefined, stop: async () => undefined },
    store: { ping: async () => undefined },
  }
  // Every key is valid, so clients could fill Redis.
  return serve({ ...config, redisUrl: '' }, dependencies, log, { ...options, createMock })
}

/** Accepts every key of the right form, each with rate limits of its own. */
const anyKey: Pick<KeyCache, 'check'> = {
  async check(key) {
    const terms = { name: undefined, plan: 'business', expiresAt: undefined, ...plans.business }
    return { ...issueKey(terms, key).record, id: `key_${digestOf(key).slice(0, 12)}` }
  },
}
