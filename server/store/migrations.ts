import { randomBytes } from 'node:crypto'
import type { Dialect } from './engine.ts'
import type { Schema } from './schema.ts'

/** The table of idempotency keys: one for all tables of an API, because a key is used for one request. */
export const keyTable = 'idempotency_keys'

// Unlike a sequence, the row is locked until the commit: a key with a lower position never becomes
// visible after one with a higher position.
const countPositions = [
  'CREATE TABLE positions (name TEXT PRIMARY KEY, last BIGINT NOT NULL)',
  "INSERT INTO positions VALUES ('api_keys', 0)",
]

/** Returns the statements for the tables of the platform: API keys, their usage, the secret, and idempotency keys. */
function platformMigrations({ engine, types }: Dialect): ReturnType<Schema['migrations']> {
  const { id, integer, bytes, options } = types
  const hex = randomBytes(32).toString('hex')
  const secret = engine === 'sqlite' ? `x'${hex}'` : `'\\x${hex}'`
  return {
    // The prefix keeps the names apart from those of the API.
    platform_0001: [
      `CREATE TABLE api_keys (
        position ${engine === 'sqlite' ? id : 'BIGINT PRIMARY KEY'},
        id TEXT NOT NULL UNIQUE,
        name TEXT,
        plan TEXT NOT NULL,
        per_minute ${integer} NOT NULL,
        per_day ${integer} NOT NULL,
        prefix TEXT NOT NULL,
        digest ${bytes} NOT NULL UNIQUE,
        created_at ${integer} NOT NULL,
        expires_at ${integer},
        revoked_at ${integer},
        replaced_by TEXT
      ) ${options}`,
      ...(engine === 'sqlite' ? [] : countPositions),
      `CREATE TABLE secrets (name TEXT PRIMARY KEY, value ${bytes} NOT NULL) ${options}`,
      `INSERT INTO secrets VALUES ('cursor', ${secret})`,
      `CREATE TABLE key_usage (
        key_id TEXT PRIMARY KEY,
        day ${integer} NOT NULL,
        requests ${integer} NOT NULL,
        last_used_at ${integer} NOT NULL
      ) ${options}`,
      // The day comes first, so that old rows are found without reading the others.
      `CREATE TABLE operation_usage (
        day ${integer} NOT NULL,
        key_id TEXT NOT NULL,
        operation_id TEXT NOT NULL,
        requests ${integer} NOT NULL,
        PRIMARY KEY (day, key_id, operation_id)
      ) ${options}`,
      `CREATE TABLE ${keyTable} (
        caller_id TEXT NOT NULL,
        key TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        row_id ${integer} NOT NULL,
        expires_at ${integer} NOT NULL,
        PRIMARY KEY (caller_id, key)
      ) ${engine === 'sqlite' ? 'STRICT, WITHOUT ROWID' : ''}`,
      `CREATE INDEX ${keyTable}_by_expiry ON ${keyTable} (expires_at)`,
    ],
  }
}

// Other programs call theirs `migrations` or `schema_migrations`, and may use the same database.
const table = 'applied_migrations'

const selectTable = {
  sqlite: `SELECT 1 FROM sqlite_schema WHERE name = '${table}'`,
  postgresql: `SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = '${table}'`,
}

/** Reads from a database. */
type Read = (sql: string) => Promise<readonly { readonly name?: unknown }[]>

/** Returns whether no instance of the service has migrated a database. */
export async function isUnmigrated({ engine }: Dialect, read: Read): Promise<boolean> {
  return (await read(selectTable[engine])).length === 0
}

/**
 * Returns the statements that a database needs, given how to read from it. Rejects if a newer version
 * of the service has changed it.
 */
export async function pendingStatements(
  dialect: Dialect,
  { migrations }: Schema,
  read: Read,
): Promise<readonly string[]> {
  const isNew = await isUnmigrated(dialect, read)
  const applied = isNew ? [] : (await read(`SELECT name FROM ${table}`)).map(({ name }) => name)
  const allMigrations = Object.entries({
    ...platformMigrations(dialect),
    ...migrations(dialect),
  }).map(([name, statements]) => ({ name, statements }))
  if (applied.some((name) => !allMigrations.some((migration) => migration.name === name))) {
    throw new Error(
      'a newer version of the service made it; run that version, or restore a backup from before it',
    )
  }
  const { integer, options } = dialect.types
  const create = `CREATE TABLE ${table} (
    name TEXT PRIMARY KEY,
    applied_at ${integer} NOT NULL
  ) ${options}`
  const pending = allMigrations.filter(({ name }) => !applied.includes(name))
  const now = Date.now()
  return [
    ...(isNew ? [create] : []),
    ...pending.flatMap(({ statements }) => statements),
    ...pending.map(
      ({ name }) => `INSERT INTO ${table} (name, applied_at) VALUES ('${name}', ${now})`,
    ),
  ]
}
