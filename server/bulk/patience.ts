import { setTimeout as wait } from 'node:timers/promises'
import { StoreUnavailable } from '../store/store-unavailable.ts'

/** How often work is tried while the store is away, and the milliseconds between two tries. */
const [mostTries, pause] = [30, 1_000]

/**
 * Does work that may be done twice, again and again for half a minute while the store is away; a
 * signal ends the waiting, and the last failure is what is thrown.
 */
export async function patiently<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || tries === mostTries) throw error
      await wait(pause, undefined, { signal }).catch(() => {
        throw error
      })
    }
  }
}
