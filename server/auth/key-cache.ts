import { timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { KeyRecord, KeyStore } from '../store/key-store.ts'
import { digestOf } from './api-key.ts'
import { createKeyDirectory } from './key-directory.ts'

/** Milliseconds for which a check is believed; a revocation is felt everywhere within five seconds. */
const freshness = 3_000
/** The most keys whose records are kept; beyond it, the least recent is asked for again. */
export const capacity = 10_000

/** Finds the record of a key, or says that there is none that may be used. */
export interface KeyCache {
  readonly check: (key: string) => Promise<KeyRecord | undefined>
}

/**
 * Makes a keyCache that asks the store about a key once in a while, not on every request, and about
 * keys that were never issued not at all.
 */
export function createKeyCache(keys: KeyStore): KeyCache {
  const directory = createKeyDirectory(keys)
  // Monotonic, so that a clock that is set back keeps no key alive.
  const perf = { now: () => performance.now() }
  const recent = new LRUCache<string, KeyRecord>({
    max: capacity,
    ttl: freshness,
    ttlResolution: 0,
    perf,
  })

  return {
    async check(key) {
      const digest = digestOf(key)
      const known = recent.get(digest)
      if (known !== undefined) return isUsable(known) ? known : undefined
      if (!(await directory.has(digest))) return undefined
      const bytes = Buffer.from(digest, 'hex')
      const start = performance.now()
      const record = await keys.findByDigest(bytes)
      if (record === undefined || !timingSafeEqual(record.digest, bytes)) return undefined
      // As old as the question: the answer of a slow store may be out of date when it comes.
      recent.set(digest, record, { start })
      return isUsable(record) ? record : undefined
    },
  }
}

function isUsable({ revokedAt, expiresAt }: KeyRecord): boolean {
  // A revocation holds at once, whatever the clock of the machine that wrote it says.
  return revokedAt === undefined && (expiresAt === undefined || expiresAt > Date.now())
}
