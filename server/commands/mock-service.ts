import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { createMock } from '../mock/mock.ts'
import { digestOf } from '../security/api-key.ts'
import { developmentId, issueDevelopmentKey } from '../security/development-key.ts'
import type { KeyCache } from '../security/key-cache.ts'
import type { Plans } from '../security/plans.ts'
import { readServedApi } from '../served-api.ts'
import { type Service, startService } from '../service.ts'
import { openStore } from '../store/store.ts'

/** Starts a service whose store stays empty: every operation responds with a sample. */
export async function startMockService(
  config: Config,
  log: Logger,
  api = readServedApi(),
): Promise<Service> {
  await using opened = new AsyncDisposableStack()
  const store = await openStore('sqlite::memory:', api.schema)
  opened.defer(store.close)
  // Every key is valid, so clients could fill Redis, and the store with their use.
  const usage = { ...store.usage, add: async () => undefined, addCalls: async () => undefined }
  // A mock needs no identity provider, either.
  const upstream = { ...config.upstream, url: '' }
  const mockConfig = { ...config, redisUrl: '', isProduction: false, upstream }
  const service = await startService(mockConfig, { ...store, usage }, log, {
    api: { ...api, createHandlers: () => ({}) },
    createMock,
    keyCache: acceptAnyKey(api.plans),
  })
  opened.defer(() => service.stop())
  const running = opened.move()
  return { ...service, stop: () => running.disposeAsync() }
}

/**
 * Returns a check that accepts every key of the right form, each with rate limits of its own. As keys for
 * development, they fit every security scheme.
 */
function acceptAnyKey(plans: Plans): Pick<KeyCache, 'check'> {
  return {
    async check(key) {
      const { record } = issueDevelopmentKey(plans, key)
      // One key has one ID.
      return { ...record, id: developmentId(digestOf(key).slice(0, 12)) }
    },
  }
}
