import { type ApiKeysTable, type KeyUsageTable, namesOf } from './tables.ts'

/** An API key as it is stored: its digest, never the key. Times are in milliseconds since 1970. */
export interface KeyRecord {
  readonly id: string
  readonly name: string | undefined
  readonly plan: string
  readonly perMinute: number
  readonly perDay: number
  /** The beginning of the key, enough to recognise it. */
  readonly prefix: string
  /** SHA-256 of the whole key. */
  readonly digest: Uint8Array
  readonly createdAt: number
  readonly expiresAt: number | undefined
  readonly revokedAt: number | undefined
  /** The id of the key that replaces it. */
  readonly replacedBy: string | undefined
}

/** When a key becomes invalid: at a time, or immediately by a revocation, which depends on no clock. */
export type KeyEnd = Pick<KeyRecord, 'expiresAt' | 'revokedAt'>

/** Stores API keys. */
export interface KeyStore {
  readonly add: (record: KeyRecord) => Promise<void>
  /** Adds the very first key. Of several calls at once, one succeeds; the others return false. */
  readonly addFirst: (record: KeyRecord) => Promise<boolean>
  readonly find: (id: string) => Promise<KeyRecord | undefined>
  readonly findByDigest: (digest: Uint8Array) => Promise<KeyRecord | undefined>
  /**
   * Returns the digests of keys that were added after a position, 0 for the first, oldest first and
   * at most `limit` of them, and the position of the last one.
   */
  readonly digestsAfter: (
    position: number,
    limit: number,
  ) => Promise<{ readonly digests: readonly Uint8Array[]; readonly position: number }>
  /** Returns all keys, oldest first. */
  readonly list: () => Promise<KeyRecord[]>
  readonly revoke: (id: string, at: number) => Promise<void>
  /**
   * Ends a key and adds its successor, both or neither. Returns false, and changes nothing, if the
   * key was revoked or replaced before.
   */
  readonly replace: (id: string, end: KeyEnd, successor: KeyRecord) => Promise<boolean>
}

/** How much a key was used on one day. */
export interface KeyUse {
  readonly keyId: string
  /** The day, in days since 1970 (UTC). */
  readonly day: number
  /** Requests within the limits of the key. */
  readonly requests: number
  /** In milliseconds since 1970. */
  readonly lastUsedAt: number
}

/** Stores how much each key was used on the last day of its use. */
export interface UsageStore {
  /** Adds to the stored numbers; instances may add for the same key. */
  readonly add: (uses: readonly KeyUse[]) => Promise<void>
  readonly list: () => Promise<KeyUse[]>
}

const columns = {
  id: 'id',
  name: 'name',
  plan: 'plan',
  perMinute: 'per_minute',
  perDay: 'per_day',
  prefix: 'prefix',
  digest: 'digest',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
  revokedAt: 'revoked_at',
  replacedBy: 'replaced_by',
} as const satisfies Record<keyof KeyRecord, keyof ApiKeysTable>

/** The columns of a key; the database sets its position. */
export const keyColumns = Object.values(columns)

/** Returns the values of a key in the order of `keyColumns`. */
export function keyValues(record: KeyRecord) {
  return namesOf(columns).map((field) => record[field] ?? null)
}

/** Returns the key of a row. */
export function toKeyRecord(row: Omit<ApiKeysTable, 'position'>): KeyRecord {
  return {
    id: row.id,
    name: row.name ?? undefined,
    plan: row.plan,
    perMinute: row.per_minute,
    perDay: row.per_day,
    prefix: row.prefix,
    digest: row.digest,
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
    replacedBy: row.replaced_by ?? undefined,
  }
}

/** Returns the digests of rows, and the position of the last one. */
export function toDigests(
  rows: readonly Pick<ApiKeysTable, 'position' | 'digest'>[],
  after: number,
) {
  return { digests: rows.map(({ digest }) => digest), position: rows.at(-1)?.position ?? after }
}

/** Returns the SQL that adds usage to a row: a later day replaces an earlier one. */
export function upsertUsage(source: string, max: 'max' | 'greatest'): string {
  return `
    INSERT INTO key_usage (key_id, day, requests, last_used_at) ${source}
    ON CONFLICT (key_id) DO UPDATE SET
      requests = CASE
        WHEN excluded.day = key_usage.day THEN key_usage.requests + excluded.requests
        WHEN excluded.day > key_usage.day THEN excluded.requests
        ELSE key_usage.requests END,
      day = ${max}(key_usage.day, excluded.day),
      last_used_at = ${max}(key_usage.last_used_at, excluded.last_used_at)`
}

/** Returns the usage of a row. */
export function toKeyUse(row: KeyUsageTable): KeyUse {
  const { key_id: keyId, day, requests, last_used_at: lastUsedAt } = row
  return { keyId, day, requests, lastUsedAt }
}
