import type { Engine } from './engine.ts'
import { StoreError } from './errors.ts'
import { createImportStore, type ImportStore } from './import-store.ts'
import { createKeyStore, createUsageStore, type KeyStore, type UsageStore } from './key-store.ts'
import { createPetStore, type PetStore } from './pet-store.ts'
import { openSqlite } from './sqlite/engine.ts'

/** Options for opening a store. */
export interface StoreOptions {
  /** Most connections to PostgreSQL. */
  readonly poolSize?: number
  /** Milliseconds that PostgreSQL may take for a piece of work; by default what a request can wait for. */
  readonly timeout?: number
}

/** Everything that the service stores, in any engine. */
export interface Store extends Pick<Engine, 'ping' | 'connections' | 'close'> {
  readonly pets: PetStore
  readonly keys: KeyStore
  readonly usage: UsageStore
  readonly imports: ImportStore
  /** A secret of 32 bytes that all instances on the store share and that survives restarts. */
  readonly secret: Uint8Array
}

const sqlite = 'sqlite:'

/** Opens the database that a `DATABASE_URL` names and applies pending migrations. */
export async function openEngine(url: string, options: StoreOptions = {}): Promise<Engine> {
  if (url.startsWith(sqlite)) return openSqlite(url.slice(sqlite.length))
  // With SQLite, the start does not wait for the driver of PostgreSQL to load.
  return (await import('./postgres/engine.ts')).openPostgres(url, options)
}

/** Opens the store in a database. Rejects with a `StoreError` if it cannot. */
export async function openStore(url: string, options: StoreOptions = {}): Promise<Store> {
  const engine = await openEngine(url, options)
  const { read, ping, connections, close } = engine
  const [secret] = await read<{ value: Uint8Array }>(
    "SELECT value FROM secrets WHERE name = 'cursor'",
  )
  if (secret === undefined) {
    await close()
    throw new StoreError('The database holds a copy that was stopped. Run migrate-store again.')
  }
  return {
    pets: createPetStore(engine),
    keys: createKeyStore(engine),
    usage: createUsageStore(engine),
    imports: createImportStore(engine),
    secret: secret.value,
    ping,
    connections,
    close,
  }
}
