import { ApiError } from '../contract/errors.ts'
import type { Pages } from '../contract/routes.ts'
import type { Store } from '../store/store.ts'

export interface HealthOptions {
  readonly store: Pick<Store, 'ping'>
  readonly isDraining: () => boolean
}

/** The path of the liveness probe; the server for operators has it, too. */
export const livePath = '/livez'

const probes = [livePath, '/readyz'] as const

/** Returns whether a path is that of a health check. */
export function isProbe(path: string): boolean {
  return probes.some((probe) => probe === path)
}

/** Creates the responses to health checks. */
export function createHealthPages({ store, isDraining }: HealthOptions): Pages {
  // Health checks need no key and have no limit, so the store is asked once at a time.
  let ping: Promise<void> | undefined
  const pingOnce = () =>
    (ping ??= store.ping().finally(() => {
      ping = undefined
    }))
  const pages = {
    [livePath]: () => ({ status: 200, body: { status: 'ok' } }),
    async '/readyz'() {
      if (isDraining()) {
        const headers = { 'Retry-After': 1 }
        const rejected = { status: 503, code: 'unavailable' } as const
        throw new ApiError(rejected, 'The service is shutting down.', { headers })
      }
      await pingOnce()
      return { status: 200, body: { status: 'ok' } }
    },
  } satisfies Record<(typeof probes)[number], Pages[string]>
  return pages
}
