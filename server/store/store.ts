import type { Engine } from './engine.ts'
import { StoreError } from './errors.ts'
import { createKeyStore, type KeyStore } from './key-store.ts'
import type { Schema } from './schema.ts'
import { openSqlite } from './sqlite/engine.ts'
import { createUsageStore, type UsageStore } from './usage-store.ts'

/** Options for opening a store. */
export interface StoreOptions {
  /** Most connections to PostgreSQL. */
  readonly poolSize?: number
  /**
   * Milliseconds that work may wait for a free connection to PostgreSQL, and then for each statement; by
   * default what a request can wait for.
   */
  readonly timeout?: number
}

/** Everything that the service stores, in any engine. */
export interface Store extends Pick<Engine, 'ping' | 'connections' | 'close'> {
  /** The database, for the statements of the API. */
  readonly database: Engine
  readonly keys: KeyStore
  readonly usage: UsageStore
  /** A secret of 32 bytes that all instances on the store share and that survives restarts. */
  readonly secret: Uint8Array
}

const sqlite = 'sqlite:'

/** Returns the file that the URL of an SQLite database names; undefined for PostgreSQL. */
export function sqliteFile(url: string): string | undefined {
  return url.startsWith(sqlite) ? url.slice(sqlite.length) : undefined
}

/** Opens the database that a `DATABASE_URL` names and applies pending migrations. */
export async function openEngine(
  url: string,
  schema: Schema,
  options: StoreOptions = {},
): Promise<Engine> {
  const file = sqliteFile(url)
  if (file !== undefined) {
    return openSqlite(file, schema)
  }
  // With SQLite, the start does not wait for the driver of PostgreSQL to load.
  return (await import('./postgres.ts')).openPostgres(url, schema, options)
}

/** Opens the store in a database. Rejects with a `StoreError` if it cannot. */
export async function openStore(
  url: string,
  schema: Schema,
  options: StoreOptions = {},
): Promise<Store> {
  const database = await openEngine(url, schema, options)
  const sql = "SELECT value FROM secrets WHERE name = 'cursor'"
  const [secret] = await database.read<{ value: Uint8Array }>(sql)
  if (secret === undefined) {
    await database.close()
    throw new StoreError('The database holds a copy that was stopped. Run migrate-store again.')
  }
  return createStore(database, secret.value)
}

/** Returns the store in an open database. */
export function createStore(database: Engine, secret: Uint8Array): Store {
  const { ping, connections, close } = database
  return {
    database,
    secret,
    ping,
    connections,
    close,
    keys: createKeyStore(database),
    usage: createUsageStore(database),
  }
}
