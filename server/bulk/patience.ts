import { setTimeout as wait } from 'node:timers/promises'
import { StoreUnavailable } from '../store/errors.ts'

/** Milliseconds that a piece of work may take, where nobody waits for an answer. */
export const bulkPatience = 30_000

/** Milliseconds for which work is tried while the store is away, and those between two tries. */
const [persistence, pause] = [30_000, 1_000]

/**
 * Does work that may be done twice, again and again for half a minute while the store is away; a
 * signal ends the waiting, and the last failure is what is thrown.
 */
export async function patiently<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  for (let giveUpAt: number | undefined; ; ) {
    try {
      return await work()
    } catch (error) {
      giveUpAt ??= performance.now() + persistence
      if (!(error instanceof StoreUnavailable) || performance.now() > giveUpAt) throw error
      await wait(pause, undefined, { signal }).catch(() => {
        throw error
      })
    }
  }
}
