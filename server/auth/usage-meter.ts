import { OutcomeUnknown } from '../store/errors.ts'
import type { KeyUse, UsageStore } from '../store/key-store.ts'
import { day } from './rate-limiter.ts'

/** Milliseconds between two writes of what was counted. */
const writeInterval = 5_000

/** Counts the use of keys, for operators. What was counted last is lost in a crash. */
export interface UsageMeter {
  readonly count: (keyId: string) => void
  /** Writes what was counted, and counts no more. */
  readonly stop: () => Promise<void>
}

/** The day of a time, in days since 1970 (UTC). */
export function dayOf(time: number): number {
  return Math.floor(time / day)
}

/** What becomes of uses that could not be written: they are written with the next ones, or never. */
export type UsesLeft = 'kept' | 'dropped'

/** Makes a meter that writes to a store every few seconds, and tells when it no longer can. */
export function createUsageMeter(
  usage: UsageStore,
  onFailure: (error: unknown, left: UsesLeft) => void,
): UsageMeter {
  let uses = new Map<string, KeyUse>()
  let isStopped = false
  let told: UsesLeft | undefined

  function add({ keyId, day, requests, lastUsedAt }: KeyUse): void {
    const name = `${keyId} ${day}`
    const before = uses.get(name) ?? { requests: 0, lastUsedAt }
    uses.set(name, {
      keyId,
      day,
      requests: before.requests + requests,
      lastUsedAt: Math.max(before.lastUsedAt, lastUsedAt),
    })
  }

  async function write(): Promise<void> {
    const counted = [...uses.values()]
    if (counted.length === 0) return
    uses = new Map()
    try {
      await usage.add(counted)
      told = undefined
    } catch (error) {
      // What may have been written is not written again: a guess would count it twice.
      const isLeft = !isStopped && !(error instanceof OutcomeUnknown)
      const left = isLeft ? 'kept' : 'dropped'
      if (left !== told) onFailure(error, left)
      told = left
      if (isLeft) for (const use of counted) add(use)
    }
  }

  const timer = setInterval(write, writeInterval).unref()
  return {
    count(keyId) {
      const lastUsedAt = Date.now()
      add({ keyId, day: dayOf(lastUsedAt), requests: 1, lastUsedAt })
    },
    async stop() {
      clearInterval(timer)
      isStopped = true
      await write()
    },
  }
}
