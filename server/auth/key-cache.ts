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

/**
 * Caches the records of keys for three seconds, and the digests of all keys that were issued, a hundred
 * bytes each. However many unknown keys are sent, the store is queried for new ones every 50 ms at most,
 * and requests that wait share the query.
 */
export class KeyCache {
  readonly #keys: KeyStore
  /** Requests that wait for one record share the query. */
  readonly #records = new LRUCache<string, KeyRecord>({
    max: capacity,
    ttl: freshness,
    ttlResolution: 0,
    // Monotonic: no key outlives a clock that is set back.
    perf: { now: () => performance.now() },
    // A record that is dropped before it arrives is still returned.
    ignoreFetchAbort: true,
    fetchMethod: async (digest, _, { options }) => {
      const start = performance.now()
      const record = await this.#keys.findByDigest(Buffer.from(digest, 'hex'))
      // As old as the query: the response of a slow store may be out of date when it arrives.
      options.ttl = Math.max(1, start + freshness - performance.now())
      return record
    },
  })
  readonly #issued = new Set<string>()
  /** The position and the digest of the last key that was read. */
  #position = 0
  #last: string | undefined
  #readAt = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | undefined

  constructor(keys: KeyStore) {
    this.#keys = keys
  }

  /** Returns the record of a key; undefined if it is unknown, revoked or expired. */
  async check(key: string): Promise<KeyRecord | undefined> {
    const digest = digestOf(key)
    if (!this.#issued.has(digest)) {
      this.#reading ??= this.#readIssued()
      await this.#reading
      if (!this.#issued.has(digest)) return undefined
    }
    const record = await this.#records.fetch(digest)
    // The time of a revocation is not compared: the clock of the machine that wrote it may differ.
    if (record === undefined || record.revokedAt !== undefined) return undefined
    return (record.expiresAt ?? Number.POSITIVE_INFINITY) > Date.now() ? record : undefined
  }

  async #readIssued(): Promise<void> {
    const wait = this.#readAt + pause - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    try {
      // After a failed page, the next query continues there.
      for (let count = pageSize; count === pageSize; ) {
        const after = Math.max(this.#position - 1, 0)
        const rows = await this.#keys.digestsAfter(after, pageSize)
        const issued = rows.map(({ digest }) => Buffer.from(digest).toString('hex'))
        for (const digest of issued) this.#issued.add(digest)
        // A failover lost the last key, and gives its position to another one: all are read again.
        const isLost = this.#last !== undefined && issued[0] !== this.#last
        this.#last = isLost ? undefined : issued.at(-1)
        this.#position = isLost ? 0 : (rows.at(-1)?.position ?? 0)
        count = isLost ? pageSize : rows.length
      }
    } finally {
      this.#readAt = performance.now()
      this.#reading = undefined
    }
  }
}
