import type { Logger } from 'pino'
import { openLimits } from '../auth/limits.ts'
import type { Config } from '../config.ts'
import { type Service, serve } from '../service.ts'
import { createAnyKeyCache } from './any-key.ts'
import { createMock } from './mock.ts'

/** Starts a service without a store: every operation of the contract is answered with a sample. */
export async function startMockService(config: Config, log: Logger): Promise<Service> {
  const dependencies = {
    // It takes any key, so Redis would fill with what anybody makes up.
    limits: await openLimits({ ...config, redisUrl: '' }, log),
    handlers: {},
    keyCache: createAnyKeyCache(),
    usage: { count: () => undefined, stop: async () => undefined },
    store: { ping: async () => undefined },
  }
  return serve(config, dependencies, log, { createStandIn: createMock })
}
