import type { Logger } from 'pino'
import type { KeyUse, OperationUse, UsageStore } from '../store/usage-store.ts'

/** Milliseconds between two writes. */
const writeInterval = 5_000

const dayLength = 86_400_000

/** Returns the day of a time, in days since 1970 (UTC). */
export function dayOf(time: number): number {
  return Math.floor(time / dayLength)
}

/** Returns a day as text, such as `2026-11-20`. */
export function toDate(day: number): string {
  return new Date(day * dayLength).toISOString().slice(0, 10)
}

/** Counts the use of keys approximately, for operators. */
export type UsageCounter = ReturnType<typeof createUsageCounter>

/** Returns a counter that writes to a store every few seconds. Counts that cannot be written are lost. */
export function createUsageCounter(store: UsageStore, log: Logger) {
  let uses = new Map<string, KeyUse>()
  let calls = new Map<string, OperationUse>()

  /** The last write, and those before it. */
  let writing = Promise.resolve()

  async function writeCounted(): Promise<void> {
    const usesToWrite = [...uses.values()]
    const callsToWrite = [...calls.values()]
    uses = new Map()
    calls = new Map()

    const writes: Promise<void>[] = []
    if (usesToWrite.length > 0) {
      writes.push(store.add(usesToWrite))
    }
    if (callsToWrite.length > 0) {
      writes.push(store.addCalls(callsToWrite, dayOf(Date.now())))
    }

    const results = await Promise.allSettled(writes)
    const failure = results.find((result) => result.status === 'rejected')
    // A failed write is not repeated: it may have been written, and would be counted twice.
    if (failure !== undefined) {
      log.warn({ err: failure.reason }, 'usage: lost')
    }
  }

  function write(): Promise<void> {
    writing = writing.then(writeCounted)
    return writing
  }

  const timer = setInterval(write, writeInterval).unref()
  return {
    /** Counts a request within the limits of a key. */
    count(keyId: string): void {
      const now = Date.now()
      const requests = (uses.get(keyId)?.requests ?? 0) + 1
      uses.set(keyId, { keyId, day: dayOf(now), requests, lastUsedAt: now })
    },
    /** Counts a request to an operation, whatever its response will be. */
    countCall(keyId: string, operationId: string): void {
      const day = dayOf(Date.now())
      const name = `${keyId} ${operationId} ${day}`
      const requests = (calls.get(name)?.requests ?? 0) + 1
      calls.set(name, { keyId, operationId, day, requests })
    },
    /** Writes the counts, and resolves when all writes have ended. */
    async stop(): Promise<void> {
      clearInterval(timer)
      await write()
    },
  }
}
