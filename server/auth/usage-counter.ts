import type { Logger } from 'pino'
import { OutcomeUnknown } from '../store/errors.ts'
import type { KeyUse, UsageStore } from '../store/key-store.ts'

/** Milliseconds between two writes. */
const writeInterval = 5_000

/** Returns the day of a time, in days since 1970 (UTC). */
export function dayOf(time: number): number {
  return Math.floor(time / 86_400_000)
}

/** Counts the use of keys, for operators. The last counts are lost in a crash. */
export type UsageCounter = ReturnType<typeof createUsageCounter>

/**
 * Returns a counter that writes to a store every few seconds. Counts that cannot be written are written
 * with the next ones, unless they are lost.
 */
export function createUsageCounter(store: UsageStore, log: Logger) {
  let uses = new Map<string, KeyUse>()
  let isStopped = false
  let lastWarning: string | undefined

  function add({ keyId, day, requests, lastUsedAt }: KeyUse): void {
    const name = `${keyId} ${day}`
    const before = uses.get(name)
    uses.set(name, {
      ...{ keyId, day },
      requests: (before?.requests ?? 0) + requests,
      lastUsedAt: Math.max(before?.lastUsedAt ?? 0, lastUsedAt),
    })
  }

  async function write(): Promise<void> {
    if (uses.size === 0) return
    const counted = [...uses.values()]
    uses = new Map()
    try {
      await store.add(counted)
      lastWarning = undefined
    } catch (err) {
      // What may have been written is not written again: that could count it twice.
      const isLost = isStopped || err instanceof OutcomeUnknown
      const warning = isLost ? 'usage: lost' : 'usage: cannot be written, retrying'
      if (warning !== lastWarning) log.warn({ err }, warning)
      lastWarning = warning
      if (!isLost) for (const use of counted) add(use)
    }
  }

  const timer = setInterval(write, writeInterval).unref()
  return {
    count(keyId: string): void {
      const now = Date.now()
      add({ keyId, day: dayOf(now), requests: 1, lastUsedAt: now })
    },
    /** Writes the counts, and stops counting. */
    async stop(): Promise<void> {
      clearInterval(timer)
      isStopped = true
      await write()
    },
  }
}
