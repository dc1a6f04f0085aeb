import { keyColumns } from './key-store.ts'
import type { NewPet, Once } from './pet-store.ts'

/** A value of a statement. */
export type Value = string | number | null | Uint8Array

/** A statement with its values, which it names `$1`, `$2` and so on. Each text is prepared once. */
export type Query = readonly [sql: string, ...values: Value[]]

/** The connections of a pool, and the requests for one. */
export interface Connections {
  /** Most connections that the pool opens. */
  readonly most: number
  readonly busy: number
  readonly idle: number
  /** Requests that wait until a connection is free. */
  readonly waiting: number
}

/** A database as the stores use it: SQL on prepared statements. */
export interface Engine {
  readonly dialect: Dialect
  /** Runs a statement that changes nothing. */
  readonly read: <Row>(...query: Query) => Promise<Row[]>
  /**
   * Runs statements in one transaction, those after the first only if the first returns a row.
   * Returns the rows of the first; when it resolves, the changes survive a crash.
   */
  readonly write: <Row>(first: Query, ...others: readonly Query[]) => Promise<Row[]>
  /** Rejects with `StoreUnavailable` when the store cannot respond. */
  readonly ping: () => Promise<void>
  /** Undefined where the engine has no connection pool. */
  readonly connections?: (() => Connections) | undefined
  readonly close: () => Promise<void>
}

export type Dialect = typeof sqliteDialect

const keyValues = keyColumns.map((_, index) => `$${index + 1}`).join(', ')

/** SQL that differs between the engines, for SQLite. */
export const sqliteDialect = {
  /** Adds a pet and its idempotency key, and returns the id; returns no row if the key was used. */
  insertOnce: (pet: NewPet, once: Once, now: number): [Query, ...Query[]] => [
    [
      `INSERT INTO animals (name, category_id, status)
      SELECT $1, $2, $3 WHERE NOT EXISTS (
        SELECT 1 FROM idempotency_keys WHERE caller_id = $4 AND key = $5 AND expires_at > $6
      ) RETURNING id`,
      ...[pet.name, pet.categoryId, pet.status ?? null, once.callerId, once.key, now],
    ],
    [
      // The key may still be there although it has expired.
      `REPLACE INTO idempotency_keys (caller_id, key, fingerprint, expires_at, animal_id)
      VALUES ($1, $2, $3, $4, last_insert_rowid())`,
      ...[once.callerId, once.key, once.fingerprint, once.expiresAt],
    ],
  ],
  /** Adds the pets of a JSON array of `NewPet`, in its order. */
  insertPets: `INSERT INTO animals (name, category_id, status)
    SELECT value ->> 'name', value ->> 'categoryId', value ->> 'status'
    FROM json_each($1) ORDER BY key`,
  /** Selects, of the pets with status `$1`, those after id `$2`, by id, and `$3` at most. */
  // The row comparison of PostgreSQL would read all pets of the status: SQLite uses its first column.
  pageWithStatus: 'WHERE status = $1 AND id > $2 ORDER BY id LIMIT $3',
  /** Adds a key with the values of `keyColumns`. */
  insertKey: `INSERT INTO api_keys (${keyColumns.join(', ')}) VALUES (${keyValues})`,
  /** Returns a row if no key was ever added. */
  isFirstKey: 'SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM api_keys)',
  /** Selects the rows of a JSON array of `KeyUse`. */
  // Without a WHERE, SQLite takes ON CONFLICT for a part of the SELECT.
  selectUses: `SELECT value ->> 'keyId', value ->> 'day', value ->> 'requests',
    value ->> 'lastUsedAt' FROM json_each($1) WHERE true`,
  /** The function that returns the larger of two values. */
  max: 'max',
  /** Ends a SELECT that skips the rows that another instance has locked. */
  skipLocked: '',
  /** Lets new rows get numbers above those of copied rows, which AUTOINCREMENT does by itself. */
  continueNumbers: [] as readonly Query[],
}

/** The same SQL for PostgreSQL. */
export const postgresDialect: Dialect = {
  // Claims the key and adds the pet: both or neither, in one round trip. If the key was used, it
  // takes no id from the sequence, so that repetitions leave no gaps. The key may still be there
  // although it has expired.
  insertOnce: (pet, once, now) => [
    [
      `WITH claim AS (
        INSERT INTO idempotency_keys (caller_id, key, fingerprint, expires_at, animal_id)
        SELECT $1::text, $2::text, $3::text, $4::bigint,
          nextval(pg_get_serial_sequence('animals', 'id'))
        WHERE NOT EXISTS (
          SELECT 1 FROM idempotency_keys
          WHERE caller_id = $1 AND key = $2 AND expires_at > $5::bigint
        )
        ON CONFLICT (caller_id, key) DO UPDATE SET
          fingerprint = excluded.fingerprint,
          expires_at = excluded.expires_at,
          animal_id = excluded.animal_id
        WHERE idempotency_keys.expires_at <= $5
        RETURNING animal_id
      )
      INSERT INTO animals (id, name, category_id, status)
      SELECT animal_id, $6::text, $7::bigint, $8::text FROM claim
      RETURNING id`,
      ...[once.callerId, once.key, once.fingerprint, once.expiresAt, now],
      ...[pet.name, pet.categoryId, pet.status ?? null],
    ],
  ],
  insertPets: `INSERT INTO animals (name, category_id, status)
    SELECT name, "categoryId", status FROM ROWS FROM (
      json_to_recordset($1) AS (name text, "categoryId" bigint, status text)
    ) WITH ORDINALITY ORDER BY ordinality`,
  // With `status = $1 ORDER BY id` the planner may read all pets by id and skip other statuses: a rare
  // status would cost the whole table. In the order of status and id there is one way only, from a
  // position in that index to the end of the status.
  pageWithStatus: 'WHERE (status, id) > ($1, $2) AND status <= $1 ORDER BY status, id LIMIT $3',
  // The row of the last position is locked until the commit.
  insertKey: `
    WITH next AS (
      UPDATE positions SET last = last + 1 WHERE name = 'api_keys' RETURNING last
    )
    INSERT INTO api_keys (${keyColumns.join(', ')}, position)
    VALUES (${keyValues}, (SELECT last FROM next))`,
  isFirstKey: "SELECT last FROM positions WHERE name = 'api_keys' AND last = 0 FOR UPDATE",
  selectUses: `SELECT * FROM json_to_recordset($1)
    AS uses ("keyId" text, day bigint, requests bigint, "lastUsedAt" bigint)`,
  max: 'greatest',
  skipLocked: 'FOR UPDATE SKIP LOCKED',
  continueNumbers: [
    [
      `SELECT setval(pg_get_serial_sequence('animals', 'id'), max(id)) FROM animals
      HAVING max(id) IS NOT NULL`,
    ],
    [
      `UPDATE positions SET last = (SELECT coalesce(max(position), 0) FROM api_keys)
      WHERE name = 'api_keys'`,
    ],
  ],
}
