import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

type Sql = RawBuilder<unknown>

/** What the engines write each in their own way where they make tables. */
export interface Words {
  /** The type of a whole number that JSON can say. */
  readonly integer: Sql
  readonly bytes: Sql
  /** The type of an id that the engine gives, and never gives twice. */
  readonly animalId: Sql
  readonly keyPosition: Sql
  /** What `idempotency_keys.animal_id` is held to. */
  readonly toAnimal: Sql
  /** What ends each table, and one that is stored in the order of its key. */
  readonly table: Sql
  readonly tableByKey: Sql
  /** What the engine needs beside the first tables. */
  readonly addFurther?: Migration['up']
}

/** The steps that bring a database up to date, in the order of their names. */
export function createMigrations(words: Words): Readonly<Record<string, Migration>> {
  const { integer, bytes, table } = words
  return {
    '0001_animals_and_keys': {
      // The values of `status` are the contract's business: no CHECK repeats them here.
      async up(database) {
        await sql`CREATE TABLE animals (
          id ${words.animalId},
          name TEXT NOT NULL,
          category_id ${integer} NOT NULL,
          status TEXT
        ) ${table}`.execute(database)
        await sql`CREATE INDEX animals_by_status ON animals (status, id)`.execute(database)
        await sql`CREATE TABLE idempotency_keys (
          caller_id TEXT NOT NULL,
          key TEXT NOT NULL,
          fingerprint TEXT NOT NULL,
          animal_id ${integer} NOT NULL ${words.toAnimal},
          expires_at ${integer} NOT NULL,
          PRIMARY KEY (caller_id, key)
        ) ${words.tableByKey}`.execute(database)
        await sql`CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at)`.execute(
          database,
        )
        await sql`CREATE TABLE api_keys (
          position ${words.keyPosition},
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
        ) ${table}`.execute(database)
        await words.addFurther?.(database)
        await sql`CREATE TABLE secrets (name TEXT PRIMARY KEY, value ${bytes} NOT NULL) ${table}`.execute(
          database,
        )
        await sql`INSERT INTO secrets VALUES ('cursor', ${randomBytes(32)})`.execute(database)
      },
    },
    '0002_key_usage': {
      async up(database) {
        await sql`CREATE TABLE key_usage (
          key_id TEXT PRIMARY KEY,
          day ${integer} NOT NULL,
          requests ${integer} NOT NULL,
          last_used_at ${integer} NOT NULL
        ) ${table}`.execute(database)
      },
    },
    '0003_imports': {
      async up(database) {
        await sql`CREATE TABLE imports (
          digest TEXT PRIMARY KEY,
          records ${integer} NOT NULL,
          animals ${integer} NOT NULL,
          finished_at ${integer}
        ) ${table}`.execute(database)
      },
    },
  }
}
