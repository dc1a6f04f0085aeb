import type { InsertOnce } from './idempotent-create.ts'
import { keyColumns } from './key-store.ts'

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

/** The type of a column in both engines; SQLite stores `bigint` as INTEGER. */
export type ColumnType = 'text' | 'bigint' | 'double precision'

/** SQL that differs between the engines. */
export interface Dialect {
  readonly engine: 'sqlite' | 'postgresql'
  /** Types of columns, and what else differs where a table is created. */
  readonly types: {
    /** A primary key that is never used twice and that a JSON number can represent. */
    readonly id: string
    readonly integer: string
    readonly bytes: string
    /** What follows the columns of a table. */
    readonly options: string
    /** What follows the columns of a table that is read by its key alone. */
    readonly optionsWithoutRowId: string
    readonly position: string
    readonly countPositions: readonly string[]
    readonly hexadecimal: (digits: string) => string
  }
  /** Selects the names of tables; a condition on the name follows. */
  readonly selectTables: string
  /** Adds a row and its idempotency key, and returns the id; returns no row if the key was used. */
  readonly insertOnce: InsertOnce
  /** Selects members of the objects in a JSON array, `$1`, in its order. */
  readonly selectJson: (members: Readonly<Record<string, ColumnType>>) => string
  /** Adds a key with the values of `keyColumns`. */
  readonly insertKey: string
  /** Returns a row if no key was ever added. */
  readonly isFirstKey: string
  /** Ends a SELECT that skips the rows that another instance has locked. */
  readonly skipLocked: string
}

/** Returns `$1, $2` and so on, from a number. */
function parameters(count: number, from = 1): readonly string[] {
  return Array.from({ length: count }, (_, index) => `$${from + index}`)
}

const keyValues = parameters(keyColumns.length).join(', ')

export const sqliteDialect: Dialect = {
  engine: 'sqlite',
  types: {
    id: 'INTEGER PRIMARY KEY AUTOINCREMENT',
    integer: 'INTEGER',
    bytes: 'BLOB',
    options: 'STRICT',
    optionsWithoutRowId: 'STRICT, WITHOUT ROWID',
    position: 'INTEGER PRIMARY KEY AUTOINCREMENT',
    countPositions: [],
    hexadecimal: (digits) => `x'${digits}'`,
  },
  selectTables: 'SELECT name FROM sqlite_schema WHERE name',
  insertOnce({ name, columns, idempotencyKeys: keys }) {
    const names = Object.keys(columns)
    const [caller, key, now] = parameters(3, names.length + 1)
    const insert = `INSERT INTO ${name} (${names.join(', ')})
      SELECT ${parameters(names.length).join(', ')} WHERE NOT EXISTS (
        SELECT 1 FROM ${keys.table} WHERE caller_id = ${caller} AND key = ${key} AND expires_at > ${now}
      ) RETURNING id`
    // The key may still be there although it has expired.
    const replace = `REPLACE INTO ${keys.table} (caller_id, key, fingerprint, expires_at, ${keys.idColumn})
      VALUES ($1, $2, $3, $4, last_insert_rowid())`
    return (values, { callerId, key, fingerprint, expiresAt }, now) => [
      [insert, ...values, callerId, key, now],
      [replace, callerId, key, fingerprint, expiresAt],
    ]
  },
  selectJson(members) {
    const values = Object.keys(members).map((name) => `value ->> '${name}'`)
    // Without a WHERE, SQLite takes the ON CONFLICT that may follow for a part of the SELECT.
    return `SELECT ${values.join(', ')} FROM json_each($1) WHERE true ORDER BY key`
  },
  insertKey: `INSERT INTO api_keys (${keyColumns.join(', ')}) VALUES (${keyValues})`,
  isFirstKey: 'SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM api_keys)',
  skipLocked: '',
}

export const postgresDialect: Dialect = {
  engine: 'postgresql',
  types: {
    id: 'BIGINT GENERATED BY DEFAULT AS IDENTITY (MAXVALUE 9007199254740991) PRIMARY KEY',
    integer: 'BIGINT',
    bytes: 'BYTEA',
    options: '',
    optionsWithoutRowId: '',
    position: 'BIGINT PRIMARY KEY',
    // Unlike a sequence, the row is locked until the commit: a key with a lower position never
    // becomes visible after one with a higher position.
    countPositions: [
      'CREATE TABLE positions (name TEXT PRIMARY KEY, last BIGINT NOT NULL)',
      "INSERT INTO positions VALUES ('api_keys', 0)",
    ],
    hexadecimal: (digits) => `'\\x${digits}'`,
  },
  selectTables: 'SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename',
  // Claims the key and adds the row: both or neither, in one round trip. If the key was used, it
  // takes no id from the sequence, so that repetitions leave no gaps. The key may still be there
  // although it has expired.
  insertOnce({ name, columns, idempotencyKeys: keys }) {
    const names = Object.keys(columns)
    const values = Object.values(columns).map((type, index) => `$${index + 6}::${type}`)
    const insert = `WITH claim AS (
        INSERT INTO ${keys.table} (caller_id, key, fingerprint, expires_at, ${keys.idColumn})
        SELECT $1::text, $2::text, $3::text, $4::bigint,
          nextval(pg_get_serial_sequence('${name}', 'id'))
        WHERE NOT EXISTS (
          SELECT 1 FROM ${keys.table}
          WHERE caller_id = $1 AND key = $2 AND expires_at > $5::bigint
        )
        ON CONFLICT (caller_id, key) DO UPDATE SET
          fingerprint = excluded.fingerprint,
          expires_at = excluded.expires_at,
          ${keys.idColumn} = excluded.${keys.idColumn}
        WHERE ${keys.table}.expires_at <= $5
        RETURNING ${keys.idColumn}
      )
      INSERT INTO ${name} (id, ${names.join(', ')})
      SELECT ${keys.idColumn}, ${values.join(', ')} FROM claim
      RETURNING id`
    return (values, { callerId, key, fingerprint, expiresAt }, now) => [
      [insert, callerId, key, fingerprint, expiresAt, now, ...values],
    ]
  },
  selectJson(members) {
    const names = Object.keys(members).map((name) => `"${name}"`)
    const types = Object.entries(members).map(([name, type]) => `"${name}" ${type}`)
    return `SELECT ${names.join(', ')} FROM ROWS FROM (json_to_recordset($1) AS (${types.join(', ')}))
      WITH ORDINALITY ORDER BY ordinality`
  },
  insertKey: `
    WITH next AS (
      UPDATE positions SET last = last + 1 WHERE name = 'api_keys' RETURNING last
    )
    INSERT INTO api_keys (${keyColumns.join(', ')}, position)
    VALUES (${keyValues}, (SELECT last FROM next))`,
  // The row of the last position is locked until the commit.
  isFirstKey: "SELECT last FROM positions WHERE name = 'api_keys' AND last = 0 FOR UPDATE",
  skipLocked: 'FOR UPDATE SKIP LOCKED',
}
