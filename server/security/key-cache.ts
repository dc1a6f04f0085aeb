import { setTimeout as wait } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { KeyRecord, KeyStore } from '../store/key-store.ts'
import { digestOf } from './api-key.ts'

/** Milliseconds for which a record is cached: a revocation applies everywhere within five seconds. */
const recordLifetime = 3_000

/** The most records that are cached; beyond it, the least recently used is dropped. */
const maxRecords = 10_000

/** Milliseconds from the end of a reading of new keys to the next one, at least. */
const readingPause = 50

/** Digests that one query reads: far fewer than a store reads within its timeout. */
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
    max: maxRecords,
    ttl: recordLifetime,
    ttlResolution: 0,
    // Monotonic: no key outlives a clock that is set back.
    perf: { now: () => performance.now() },
    // A record that is dropped before it arrives is still returned.
    ignoreFetchAbort: true,
    fetchMethod: async (digest, _, { options }) => {
      const start = performance.now()
      const record = await this.#keys.findByDigest(Buffer.from(digest, 'hex'))
      // A record is as old as its query: the response of a slow store may be out of date when it arrives.
      const age = performance.now() - start
      // A lifetime of 0 would have no end.
      options.ttl = Math.max(1, recordLifetime - age)
      return record
    },
  })
  /** The digests of all keys that were issued. */
  readonly #issued = new Set<string>()
  /** The key with the highest position that was read; undefined if the next reading is to read all keys. */
  #lastKey: IssuedKey | undefined
  /** The reading of new keys that has not ended. */
  #reading: Promise<void> | undefined
  /** When the last reading ended. */
  #readingEndedAt = Number.NEGATIVE_INFINITY

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
    const pause = this.#readingEndedAt + readingPause - performance.now()
    if (pause > 0) {
      await wait(pause)
    }

    try {
      // After a page that cannot be read, the next reading continues with this page.
      let isComplete = false
      while (!isComplete) {
        isComplete = await this.#readPage()
      }
    } finally {
      this.#readingEndedAt = performance.now()
      this.#reading = undefined
    }
  }

  /** Reads the keys from the last one on; returns whether no more follow. */
  async #readPage(): Promise<boolean> {
    const lastKey = this.#lastKey
    // The first row should be the last key once more.
    const after = lastKey === undefined ? 0 : lastKey.position - 1
    const rows = await this.#keys.digestsAfter(after, pageSize)
    const page = rows.map(({ position, digest }): IssuedKey => {
      return { position, digest: Buffer.from(digest).toString('hex') }
    })
    for (const { digest } of page) {
      this.#issued.add(digest)
    }

    // A failover may lose the last keys, and other keys get their positions. Then all keys are read.
    const isLastKeyLost = lastKey !== undefined && page[0]?.digest !== lastKey.digest
    if (isLastKeyLost) {
      this.#lastKey = undefined
      return false
    }
    this.#lastKey = page.at(-1)
    return page.length < pageSize
  }
}
