import { openSqliteStore } from './sqlite/store.ts'
import type { Store, StoreOptions } from './store.ts'

const sqlite = 'sqlite:'

/**
 * Opens the store that a `DATABASE_URL` names and applies pending migrations. Rejects with a
 * `StoreError` if it cannot.
 */
export async function openStore(url: string, options: StoreOptions = {}): Promise<Store> {
  if (url.startsWith(sqlite)) return openSqliteStore(url.slice(sqlite.length), options)
  // With SQLite, the start does not wait for the driver of PostgreSQL to load.
  const { openPostgresStore } = await import('./postgres/store.ts')
  return openPostgresStore(url, options)
}
