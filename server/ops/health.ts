import { ApiError } from '../contract/errors.ts'
import type { Pages } from '../contract/routes.ts'
import type { Store } from '../store/store.ts'

export interface HealthOptions {
  readonly store: Pick<Store, 'ping'>
  readonly isDraining: () => boolean
}

/** Whether the process should be replaced; the port for operators answers it, too. */
export const livePath = '/livez'

const probes = [livePath, '/readyz'] as const

/** Whether a path is one that probes ask, every second or so. */
export function isProbe(path: string): boolean {
  return probes.some((probe) => probe === path)
}

/** What the service answers to probes, which ask how it is and want nothing of it. */
export function createHealthPages({ store, isDraining }: HealthOptions): Pages {
  // Anybody may ask, at any rate; the store is asked once at a time.
  let looking: Promise<void> | undefined
  const look = () =>
    (looking ??= store.ping().finally(() => {
      looking = undefined
    }))
  const pages = {
    [livePath]: () => ({ status: 200, body: { status: 'ok' } }),
    async '/readyz'() {
      if (isDraining()) {
        const headers = { 'Retry-After': 1 }
        const refused = { status: 503, code: 'unavailable' } as const
        throw new ApiError(refused, 'The service is shutting down.', { headers })
      }
      await look()
      return { status: 200, body: { status: 'ok' } }
    },
  } satisfies Record<(typeof probes)[number], Pages[string]>
  return pages
}
