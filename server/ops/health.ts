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

/** Milliseconds that a readiness check may take. */
const checkTimeout = 2_000

/** Finds out whether the service can be used. */
export class Readiness {
  /** The result of the last check; a service starts with a store that can be used. */
  isReady = true
  readonly #store: Pick<Store, 'ping'>
  readonly #stopping: AbortSignal
  readonly #checks: readonly ReadinessCheck[]
  /** The check that has not ended. */
  #running: Promise<void> | undefined

  constructor(
    store: Pick<Store, 'ping'>,
    stopping: AbortSignal,
    checks: readonly ReadinessCheck[] = [],
  ) {
    this.#store = store
    this.#stopping = stopping
    this.#checks = checks
  }

  /** Rejects with an error of 503 if the service cannot be used. */
  async check(): Promise<void> {
    try {
      this.#assertRunning()
      // Health checks need no key and have no rate limit, so requests at the same time share one query.
      this.#running ??= this.#pingAll().finally(() => {
        this.#running = undefined
      })
      await this.#running
      this.isReady = true
    } catch (error) {
      this.isReady = false
      throw error
    }
  }

  #assertRunning(): void {
    if (this.#stopping.aborted) {
      const headers = { 'Retry-After': 1 }
      const rejected = { status: 503, code: 'unavailable' } as const
      throw new ApiError(rejected, 'The service is shutting down.', { headers })
    }
  }

  async #pingAll(): Promise<void> {
    await Promise.all([this.#store.ping(), ...this.#checks.map(runCheck)])
  }
}

/** Creates the responses to health checks. */
export function createHealthPages(readiness: Readiness, prefix: string): Pages {
  return {
    [prefix + livePath]: () => ({ status: 200, body: { status: 'ok' } }),
    async [prefix + readyPath]() {
      await readiness.check()
      return { status: 200, body: { status: 'ok' } }
    },
  }
}

async function runCheck(check: ReadinessCheck): Promise<void> {
  const timeout = wait(checkTimeout, undefined, { ref: false }).then(() => {
    throw new Error(`no result within ${checkTimeout / 1_000} s`)
  })
  try {
    await Promise.race([check(), timeout])
  } catch (cause) {
    throw new StoreUnavailable('a readiness check of the API failed', { cause })
  }
}
