import { ApiError } from '../contract/errors.ts'
import type { Pages } from '../http/routes.ts'
import type { Store } from '../store/store.ts'

/** The path of the liveness probe; the server for operators has it, too, without a prefix. */
export const livePath = '/livez'
const readyPath = '/readyz'

/** Returns the paths of health checks, which begin with the prefix of all pages. */
export function probePathsOf(prefix: string): ReadonlySet<string> {
  return new Set([prefix + livePath, prefix + readyPath])
}

/** Creates the responses to health checks. */
export function createHealthPages(
  store: Pick<Store, 'ping'>,
  stopping: AbortSignal,
  prefix: string,
): Pages {
  // Health checks need no key and have no rate limit, so requests at the same time share one query.
  let ping: Promise<void> | undefined
  return {
    [prefix + livePath]: () => ({ status: 200, body: { status: 'ok' } }),
    async [prefix + readyPath]() {
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
