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

/** A key that was issued, as far as the cache knows it. */
interface IssuedKey {
  /** Keys are numbered in the order in which they are issued. */
  readonly position: number
  readonly digest: string
}

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
  /** The digests of all keys that were issued. */
  readonly #issued = new Set<string>()
  /** The last key that was read; undefined if all keys are to be read. */
  #last: IssuedKey | undefined
  /** The reading of new keys that has not ended. */
  #reading: Promise<void> | undefined
  /** When the last reading ended. */
  #readAt = Number.NEGATIVE_INFINITY

  constructor(keys: KeyStore) {
    this.#keys = keys
  }

  /** Returns the record of a key; undefined if it is unknown, revoked or expired. */
  async check(key: string): Promise<KeyRecord | undefined> {
    const digest = digestOf(key)
    if (!(await this.#isIssued(digest))) {
      return undefined
    }

    const record = await this.#records.fetch(digest)
    // The time of a revocation is not compared: the clock of the machine that wrote it may differ.
    if (record === undefined || record.revokedAt !== undefined) {
      return undefined
    }
    return (record.expiresAt ?? Number.POSITIVE_INFINITY) > Date.now() ? record : undefined
  }

  /** Returns whether a key was issued before this call. */
  async #isIssued(digest: string): Promise<boolean> {
    if (this.#issued.has(digest)) {
      return true
    }

    // This reading may have begun before the key was issued.
    await this.#reading
    if (this.#issued.has(digest)) {
      return true
    }

    this.#reading ??= this.#readNewKeys()
    await this.#reading
    return this.#issued.has(digest)
  }

  /** Reads the digests of keys that were issued since the last reading. */
  async #readNewKeys(): Promise<void> {
    const wait = this.#readAt + pause - performance.now()
    if (wait > 0) {
      await new Promise((resolve) => setTimeout(resolve, wait))
    }

    try {
      // After a failed page, the next reading continues there.
      let isComplete = false
      while (!isComplete) {
        isComplete = await this.#readPage()
      }
    } finally {
      this.#readAt = performance.now()
      this.#reading = undefined
    }
  }

  /** Reads the keys from the last one on; returns whether they are all. */
  async #readPage(): Promise<boolean> {
    const last = this.#last
    // The first row should be the last key once more.
    const after = last === undefined ? 0 : last.position - 1
    const rows = await this.#keys.digestsAfter(after, pageSize)
    const issued = rows.map(({ position, digest }): IssuedKey => {
      return { position, digest: Buffer.from(digest).toString('hex') }
    })
    for (const { digest } of issued) {
      this.#issued.add(digest)
    }

    // A failover has lost keys, the last one among them: other keys get their positions.
    const isLost = last !== undefined && issued[0]?.digest !== last.digest
    this.#last = isLost ? undefined : issued.at(-1)
    return !isLost && issued.length < pageSize
  }
}
