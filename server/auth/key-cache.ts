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

/** Returns a cache that queries the store for a key every three seconds, and never for unknown keys. */
export function createKeyCache(keys: KeyStore): KeyCache {
  const issued = new IssuedKeys(keys)
  const records = new LRUCache<string, KeyRecord>({
    max: capacity,
    ttl: freshness,
    ttlResolution: 0,
    // Monotonic: no key outlives a clock that is set back.
    perf: { now: () => performance.now() },
  })

  async function query(digest: string): Promise<KeyRecord | undefined> {
    if (!(await issued.has(digest))) return undefined
    // As old as the query: the response of a slow store may be out of date when it arrives.
    const start = performance.now()
    const record = await keys.findByDigest(Buffer.from(digest, 'hex'))
    if (record !== undefined) records.set(digest, record, { start })
    return record
  }

  return {
    async check(key) {
      const digest = digestOf(key)
      const record = records.get(digest) ?? (await query(digest))
      // A revocation applies at once, whatever the clock of the machine that wrote it says.
      if (record === undefined || record.revokedAt !== undefined) return undefined
      return (record.expiresAt ?? Number.POSITIVE_INFINITY) > Date.now() ? record : undefined
    },
  }
}

/**
 * The digests of all keys that were issued, a hundred bytes each. However many unknown keys are sent, the
 * store is queried for new ones every 50 ms at most, and requests that wait share the query.
 */
class IssuedKeys {
  readonly #keys: KeyStore
  readonly #digests = new Set<string>()
  #position = 0
  #queriedAt = Number.NEGATIVE_INFINITY
  #query: Promise<void> | undefined

  constructor(keys: KeyStore) {
    this.#keys = keys
  }

  async has(digest: string): Promise<boolean> {
    if (!this.#digests.has(digest)) {
      this.#query ??= this.#readNew()
      await this.#query
    }
    return this.#digests.has(digest)
  }

  async #readNew(): Promise<void> {
    const wait = this.#queriedAt + pause - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    try {
      // After a failed page, the next query continues there.
      for (let count = pageSize; count === pageSize; ) {
        const { digests, position } = await this.#keys.digestsAfter(this.#position, pageSize)
        for (const digest of digests) this.#digests.add(Buffer.from(digest).toString('hex'))
        this.#position = position
        count = digests.length
      }
    } finally {
      this.#queriedAt = performance.now()
      this.#query = undefined
    }
  }
}
