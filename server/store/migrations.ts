import { randomBytes } from 'node:crypto'
import type { Migrations } from './migrate.ts'

/** What the engines write each in their own way where they make tables. */
export interface Words {
  /** The type of a whole number that JSON can say. */
  readonly integer: string
  readonly bytes: string
  /** The type of an id that the engine gives, and never gives twice. */
  readonly animalId: string
  readonly keyPosition: string
  /** What `idempotency_keys.animal_id` is held to. */
  readonly toAnimal: string
  /** What ends each table, and one that is stored in the order of its key. */
  readonly table: string
  readonly tableByKey: string
  /** Bytes, written out. */
  readonly literal: (bytes: Buffer) => string
  /** What the engine needs beside the first tables. */
  readonly further: readonly string[]
}

/** The steps that bring a database up to date, in the order of their names. */
export function createMigrations(words: Words): Migrations {
  const { integer, bytes, table } = words
  return {
    '0001_animals_and_keys': () => [
      // The values of `status` are the contract's business: no CHECK repeats them here.
      `CREATE TABLE animals (
        id ${words.animalId},
        name TEXT NOT NULL,
        category_id ${integer} NOT NULL,
        status TEXT
      ) ${table}`,
      'CREATE INDEX animals_by_status ON animals (status, id)',
      `CREATE TABLE idempotency_keys (
        caller_id TEXT NOT NULL,
        key TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        animal_id ${integer} NOT NULL ${words.toAnimal},
        expires_at ${integer} NOT NULL,
        PRIMARY KEY (caller_id, key)
      ) ${words.tableByKey}`,
      'CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at)',
      `CREATE TABLE api_keys (
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
      ) ${table}`,
      ...words.further,
      `CREATE TABLE secrets (name TEXT PRIMARY KEY, value ${bytes} NOT NULL) ${table}`,
      `INSERT INTO secrets VALUES ('cursor', ${words.literal(randomBytes(32))})`,
    ],
    '0002_key_usage': () => [
      `CREATE TABLE key_usage (
        key_id TEXT PRIMARY KEY,
        day ${integer} NOT NULL,
        requests ${integer} NOT NULL,
        last_used_at ${integer} NOT NULL
      ) ${table}`,
    ],
    '0003_imports': () => [
      `CREATE TABLE imports (
        digest TEXT PRIMARY KEY,
        records ${integer} NOT NULL,
        animals ${integer} NOT NULL,
        finished_at ${integer}
      ) ${table}`,
    ],
  }
}
