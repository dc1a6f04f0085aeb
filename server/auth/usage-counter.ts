import type { Logger } from 'pino'
import type { KeyUse, UsageStore } from '../store/usage-store.ts'

/** Milliseconds between two writes. */
const writeInterval = 5_000

/** Returns the day of a time, in days since 1970 (UTC). */
export function dayOf(time: number): number {
  return Math.floor(time / 86_400_000)
}

/** Counts the use of keys approximately, for operators. */
export type UsageCounter = ReturnType<typeof createUsageCounter>

/** Returns a counter that writes to a store every few seconds. Counts that cannot be written are lost. */
export function createUsageCounter(store: UsageStore, log: Logger) {
  let uses = new Map<string, KeyUse>()

  /** The last write, and those before it. */
  let writing = Promise.resolve()

  async function writeCounted(): Promise<void> {
    if (uses.size === 0) return
    const counted = [...uses.values()]
    uses = new Map()
    // Not again: what may have been written would be counted twice.
    await store.add(counted).catch((err: unknown) => log.warn({ err }, 'usage: lost'))
  }

  function write(): Promise<void> {
    writing = writing.then(writeCounted)
    return writing
  }

  const timer = setInterval(write, writeInterval).unref()
  return {
    count(keyId: string): void {
      const now = Date.now()
      const requests = (uses.get(keyId)?.requests ?? 0) + 1
      uses.set(keyId, { keyId, day: dayOf(now), requests, lastUsedAt: now })
    },
    /** Writes the counts, and resolves when all writes have ended. */
    async stop(): Promise<void> {
      clearInterval(timer)
      await write()
    },
  }
}
