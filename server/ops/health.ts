import { setTimeout as wait } from 'node:timers/promises'
import { ApiError } from '../contract/errors.ts'
import type { Pages } from '../http/routes.ts'
import { StoreUnavailable } from '../store/errors.ts'
import type { Store } from '../store/store.ts'

/** The path of the liveness probe; the server for operators has it, too, without a prefix. */
export const livePath = '/livez'
const readyPath = '/readyz'

/** Returns the paths of health checks, which begin with the prefix of all pages. */
export function probePathsOf(prefix: string): ReadonlySet<string> {
  return new Set([prefix + livePath, prefix + readyPath])
}

/** Resolves when what a handler needs can be used, such as a database of its own. */
export type ReadinessCheck = () => Promise<unknown>

/** Milliseconds that such a check may take. */
const checkTimeout = 2_000

/** Creates the responses to health checks. */
export function createHealthPages(
  store: Pick<Store, 'ping'>,
  stopping: AbortSignal,
  prefix: string,
  readinessChecks: readonly ReadinessCheck[] = [],
): Pages {
  async function pingAll(): Promise<void> {
    await Promise.all([store.ping(), ...readinessChecks.map(runCheck)])
  }

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
      ping ??= pingAll().finally(() => {
        ping = undefined
      })
      await ping
      return { status: 200, body: { status: 'ok' } }
    },
  }
}

async function runCheck(check: ReadinessCheck): Promise<void> {
  const late = wait(checkTimeout, undefined, { ref: false }).then(() => {
    throw new Error(`no result within ${checkTimeout / 1_000} s`)
  })
  try {
    await Promise.race([check(), late])
  } catch (cause) {
    throw new StoreUnavailable('a readiness check of the API failed', { cause })
  }
}
