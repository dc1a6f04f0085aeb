import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Tables } from '../tables.ts'

// The values of `status` are the contract's business: no CHECK repeats them here.
const first: Migration = {
  async up(database: Kysely<Tables>) {
    // AUTOINCREMENT never gives an id twice, not even that of the last row after its deletion.
    await sql`CREATE TABLE animals (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      category_id INTEGER NOT NULL,
      status TEXT
    ) STRICT`.execute(database)
    await database.schema
      .createIndex('animals_by_status')
      .on('animals')
      .columns(['status', 'id'])
      .execute()
    await sql`CREATE TABLE idempotency_keys (
      caller_id TEXT NOT NULL,
      key TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      animal_id INTEGER NOT NULL REFERENCES animals (id),
      expires_at INTEGER NOT NULL,
      PRIMARY KEY (caller_id, key)
    ) STRICT, WITHOUT ROWID`.execute(database)
    await database.schema
      .createIndex('idempotency_keys_by_expiry')
      .on('idempotency_keys')
      .column('expires_at')
      .execute()
    await sql`CREATE TABLE api_keys (
      position INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      name TEXT,
      plan TEXT NOT NULL,
      per_minute INTEGER NOT NULL,
      per_day INTEGER NOT NULL,
      prefix TEXT NOT NULL,
      digest BLOB NOT NULL UNIQUE,
      created_at INTEGER NOT NULL,
      expires_at INTEGER,
      revoked_at INTEGER,
      replaced_by TEXT
    ) STRICT`.execute(database)
    await sql`CREATE TABLE secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT`.execute(
      database,
    )
    await database
      .insertInto('secrets')
      .values({ name: 'cursor', value: randomBytes(32) })
      .execute()
  },
}

const keyUsage: Migration = {
  async up(database: Kysely<Tables>) {
    await sql`CREATE TABLE key_usage (
      key_id TEXT PRIMARY KEY,
      day INTEGER NOT NULL,
      requests INTEGER NOT NULL,
      last_used_at INTEGER NOT NULL
    ) STRICT`.execute(database)
  },
}

const imports: Migration = {
  async up(database: Kysely<Tables>) {
    await sql`CREATE TABLE imports (
      digest TEXT PRIMARY KEY,
      records INTEGER NOT NULL,
      animals INTEGER NOT NULL,
      finished_at INTEGER
    ) STRICT`.execute(database)
  },
}

/** The steps that bring a database up to date, in the order of their names. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001_animals_and_keys': first,
  '0002_key_usage': keyUsage,
  '0003_imports': imports,
}
