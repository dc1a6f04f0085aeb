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
}

const names = Object.values(columns).join(', ')
const values = keyFields.map((_, index) => `$${index + 1}`).join(', ')

/** Adds a key. */
const insertKey = {
  sqlite: `INSERT INTO api_keys (${names}) VALUES (${values})`,
  postgresql: `
    WITH next AS (
      UPDATE positions SET last = last + 1 WHERE name = 'api_keys' RETURNING last
    )
    INSERT INTO api_keys (${names}, position) VALUES (${values}, (SELECT last FROM next))`,
}

/** Returns a row if no key was ever added. */
const isFirstKey = {
  sqlite: 'SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM api_keys)',
  // The row of the last position is locked until the commit.
  postgresql: "SELECT last FROM positions WHERE name = 'api_keys' AND last = 0 FOR UPDATE",
}

/** Converts a row to a key, whose fields are undefined where the columns are null. */
function toKeyRecord(row: object): KeyRecord {
  const fields = Object.entries(row).map(([field, value]) => [field, value ?? undefined])
  return Object.fromEntries(fields)
}

export type KeyStore = ReturnType<typeof createKeyStore>

/** Stores API keys in a database. */
export function createKeyStore({ dialect, read, write }: Engine) {
  const insert = (record: KeyRecord): Query => [
    insertKey[dialect.engine],
    ...keyFields.map((field) => record[field] ?? null),
  ]
  const readKeys = async (...query: Query) => (await read<object>(...query)).map(toKeyRecord)
  return {
    async add(record: KeyRecord): Promise<void> {
      await write(insert(record))
    },
    /** Adds the very first key. Of several calls at once, one succeeds; the others return false. */
    async addFirst(record: KeyRecord): Promise<boolean> {
      return (await write([isFirstKey[dialect.engine]], insert(record))).length > 0
    },
    async find(id: string): Promise<KeyRecord | undefined> {
      return (await readKeys(sql.byId, id))[0]
    },
    async findByDigest(digest: Uint8Array): Promise<KeyRecord | undefined> {
      return (await readKeys(sql.byDigest, digest))[0]
    },
    /** Returns the digests of keys after a position, 0 for the first: the oldest, at most `limit`. */
    digestsAfter: (after: number, limit: number) =>
      read<{ position: number; digest: Uint8Array }>(sql.after, after, limit),
    /** Returns all keys, oldest first. */
    list: () => readKeys(sql.all),
    async revoke(id: string, at: number): Promise<void> {
      await write([sql.revoke, at, id])
    },
    /**
     * Ends a key and adds its successor, both or neither. Returns false, and changes nothing, if the
     * key was revoked or replaced before.
     */
    async replace(id: string, end: KeyEnd, successor: KeyRecord): Promise<boolean> {
      const { expiresAt, revokedAt } = end
      const update: Query = [sql.end, expiresAt ?? null, revokedAt ?? null, successor.id, id]
      return (await write(update, insert(successor))).length > 0
    },
  }
}
