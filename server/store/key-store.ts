import type { Engine, Query } from './engine.ts'

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

/** The column of each field of a key; the database sets its position. */
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
} as const satisfies Record<keyof KeyRecord, string>

/** The columns of a key that the service sets. */
export const keyColumns = Object.values(columns)

const keyFields = Object.keys(columns) as (keyof KeyRecord)[]

const fields = keyFields.map((field) => `${columns[field]} AS "${field}"`)
const select = `SELECT ${fields.join(', ')} FROM api_keys`

const sql = {
  byId: `${select} WHERE id = $1`,
  byDigest: `${select} WHERE digest = $1`,
  all: `${select} ORDER BY created_at, position`,
  after: 'SELECT position, digest FROM api_keys WHERE position > $1 ORDER BY position LIMIT $2',
  revoke: 'UPDATE api_keys SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL',
  // Of several rotations of a key, the others wait here for the first one.
  end: `UPDATE api_keys SET expires_at = $1, revoked_at = $2, replaced_by = $3
    WHERE id = $4 AND replaced_by IS NULL AND revoked_at IS NULL RETURNING id`,
  usage: 'SELECT key_id AS "keyId", day, requests, last_used_at AS "lastUsedAt" FROM key_usage',
}

type Optional = 'name' | 'expiresAt' | 'revokedAt' | 'replacedBy'

/** A key as it is read: what is not set is null. */
type KeyRow = Omit<KeyRecord, Optional> & {
  readonly [Field in Optional]: Exclude<KeyRecord[Field], undefined> | null
}

function toKeyRecord(row: KeyRow): KeyRecord {
  return {
    ...row,
    name: row.name ?? undefined,
    expiresAt: row.expiresAt ?? undefined,
    revokedAt: row.revokedAt ?? undefined,
    replacedBy: row.replacedBy ?? undefined,
  }
}

/** Stores API keys in a database. */
export function createKeyStore({ dialect, read, write }: Engine): KeyStore {
  const insert = (record: KeyRecord): Query => [
    dialect.insertKey,
    ...keyFields.map((field) => record[field] ?? null),
  ]
  const readKeys = async (...query: Query) => (await read<KeyRow>(...query)).map(toKeyRecord)
  return {
    add: async (record) => void (await write(insert(record))),
    addFirst: async (record) => (await write([dialect.isFirstKey], insert(record))).length > 0,
    find: async (id) => (await readKeys(sql.byId, id))[0],
    findByDigest: async (digest) => (await readKeys(sql.byDigest, digest))[0],
    async digestsAfter(after, limit) {
      const rows = await read<{ position: number; digest: Uint8Array }>(sql.after, after, limit)
      const position = rows.at(-1)?.position ?? after
      return { digests: rows.map(({ digest }) => digest), position }
    },
    list: () => readKeys(sql.all),
    revoke: async (id, at) => void (await write([sql.revoke, at, id])),
    async replace(id, { expiresAt = null, revokedAt = null }, successor) {
      const end: Query = [sql.end, expiresAt, revokedAt, successor.id, id]
      return (await write(end, insert(successor))).length > 0
    },
  }
}

/** Stores the usage of keys in a database. */
export function createUsageStore({ dialect, read, write }: Engine): UsageStore {
  // A later day replaces an earlier one.
  const add = `
    INSERT INTO key_usage (key_id, day, requests, last_used_at) ${dialect.selectUses}
    ON CONFLICT (key_id) DO UPDATE SET
      requests = CASE
        WHEN excluded.day = key_usage.day THEN key_usage.requests + excluded.requests
        WHEN excluded.day > key_usage.day THEN excluded.requests
        ELSE key_usage.requests END,
      day = ${dialect.max}(key_usage.day, excluded.day),
      last_used_at = ${dialect.max}(key_usage.last_used_at, excluded.last_used_at)`
  return {
    add: async (uses) => void (await write([add, JSON.stringify(lastOfEach(uses))])),
    list: () => read<KeyUse>(sql.usage),
  }
}

// A statement can write a row once, and at midnight a key has two days: the later one is stored. In
// one order, so that instances cannot deadlock.
function lastOfEach(uses: readonly KeyUse[]): KeyUse[] {
  const inOrder = uses.toSorted((a, b) => a.day - b.day)
  const last = new Map(inOrder.map((use) => [use.keyId, use]))
  return [...last.values()].sort((a, b) => (a.keyId < b.keyId ? -1 : 1))
}
