import { ApiError } from '../contract/errors.ts'
import type { Pages } from '../http/routes.ts'
import type { Store } from '../store/store.ts'

/** The path of the liveness probe; the server for operators has it, too. */
export const livePath = '/livez'
const readyPath = '/readyz'

/** The paths of health checks. */
export const probePaths: ReadonlySet<string> = new Set([livePath, readyPath])

/** Creates the responses to health checks. */
export function createHealthPages(store: Pick<Store, 'ping'>, stopping: AbortSignal): Pages {
  // Health checks need no key and have no rate limit, so requests at the same time share one query.
  let ping: Promise<void> | undefined
  return {
    [livePath]: () => ({ status: 200, body: { status: 'ok' } }),
    async [readyPath]() {
      if (stopping.aborted) {
        const headers = { 'Retry-After': 1 }
        const rejected = { status: 503, code: 'unavailable' } as const
        throw new ApiError(rejected, 'The service is shutting down.', { headers })
      }
      ping ??= store.ping().finally(() => {
        ping = undefined
      })
      await ping
      return { status: 200, body: { status: 'ok' } }
    },
  }
}
