import { timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { KeyRecord, KeyStore } from '../store/key-store.ts'
import { digestOf } from './api-key.ts'

/** Milliseconds for which a record is cached; a revocation applies everywhere within five seconds. */
const freshness = 3_000
/** The most records that are cached; beyond it, the least recently used is dropped. */
const capacity = 10_000
/** Milliseconds between two queries for new keys, at least. */
const pause = 50
/** Digests of one query: far fewer than a store reads within its timeout. */
const pageSize = 10_000

/** Returns the record of a key; undefined if it is unknown, revoked or expired. */
export interface KeyCache {
  readonly check: (key: string) => Promise<KeyRecord | undefined>
}

/** Returns a cache that queries the store for a key once in a while, and not at all for unknown keys. */
export function createKeyCache(keys: KeyStore): KeyCache {
  const isIssued = issuedKeys(keys)
  const records = new LRUCache<string, KeyRecord>({
    max: capacity,
    ttl: freshness,
    ttlResolution: 0,
    // Monotonic: no key outlives a clock that is set back.
    perf: { now: () => performance.now() },
  })
  return {
    async check(key) {
      const digest = digestOf(key)
      const cached = records.get(digest)
      if (cached !== undefined) return isUsable(cached) ? cached : undefined
      if (!(await isIssued(digest))) return undefined
      const bytes = Buffer.from(digest, 'hex')
      const start = performance.now()
      const record = await keys.findByDigest(bytes)
      if (record === undefined || !timingSafeEqual(record.digest, bytes)) return undefined
      // As old as the query: the response of a slow store may be out of date when it arrives.
      records.set(digest, record, { start })
      return isUsable(record) ? record : undefined
    },
  }
}

function isUsable({ revokedAt, expiresAt }: KeyRecord): boolean {
  // A revocation applies at once, whatever the clock of the machine that wrote it says.
  return revokedAt === undefined && (expiresAt === undefined || expiresAt > Date.now())
}

/**
 * Returns a function that tells whether a key was ever issued. It queries the store for new keys at
 * most every 50 ms, however many unknown keys are sent; requests that wait share the query. A key takes
 * about a hundred bytes.
 */
function issuedKeys(keys: KeyStore): (digest: string) => Promise<boolean> {
  const issued = new Set<string>()
  let position = 0
  let queriedAt = Number.NEGATIVE_INFINITY
  let query: Promise<void> | undefined

  async function update(): Promise<void> {
    const wait = queriedAt + pause - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    try {
      // After a failed page, the next query continues there.
      for (let isComplete = false; !isComplete; ) {
        const page = await keys.digestsAfter(position, pageSize)
        for (const digest of page.digests) issued.add(Buffer.from(digest).toString('hex'))
        position = page.position
        isComplete = page.digests.length < pageSize
      }
    } finally {
      queriedAt = performance.now()
      query = undefined
    }
  }

  return async function isIssued(digest) {
    if (issued.has(digest)) return true
    query ??= update()
    await query
    return issued.has(digest)
  }
}
