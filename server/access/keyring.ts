import { LRUCache } from 'lru-cache'
import type { KeyRecord, KeyStore } from '../store/key-store.ts'
import { digestOf } from './api-key.ts'

/** Milliseconds for which a check is believed; a revocation is felt everywhere within five seconds. */
const freshness = 3_000
/** Milliseconds for which a key that was good once may ask the store again without a budget. */
const acquaintance = 600_000
const capacity = 10_000

/** Finds the record of a key, or says that there is none that may be used. */
export interface Keyring {
  /** Whether `check` needs the store for a key that it never saw to be good. */
  readonly isStranger: (key: string) => boolean
  readonly check: (key: string) => Promise<KeyRecord | undefined>
}

/** Makes a keyring that asks the store about a key once in a while, not on every request. */
export function createKeyring(keys: KeyStore): Keyring {
  const good = createCache<KeyRecord>(freshness)
  const unknown = createCache<true>(freshness)
  const acquainted = createCache<true>(acquaintance)

  return {
    isStranger(key) {
      const digest = digestOf(key)
      return acquainted.get(digest) === undefined && unknown.get(digest) === undefined
    },
    async check(key) {
      const digest = digestOf(key)
      const known = good.get(digest)
      if (known !== undefined) return isUsable(known) ? known : undefined
      if (unknown.get(digest) !== undefined) return undefined
      const record = await keys.findByDigest(Buffer.from(digest, 'hex'))
      if (record === undefined || !isUsable(record)) {
        unknown.set(digest, true)
        return undefined
      }
      good.set(digest, record)
      acquainted.set(digest, true)
      return record
    },
  }
}

function createCache<Value extends object | true>(lifetime: number): LRUCache<string, Value> {
  // Monotonic, so that a clock that is set back keeps no key alive.
  const perf = { now: () => performance.now() }
  return new LRUCache({ max: capacity, ttl: lifetime, ttlResolution: 0, perf })
}

function isUsable({ revokedAt, expiresAt }: KeyRecord): boolean {
  const now = Date.now()
  return (
    (revokedAt === undefined || revokedAt > now) && (expiresAt === undefined || expiresAt > now)
  )
}
