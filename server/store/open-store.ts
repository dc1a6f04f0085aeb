import type { PostgresOptions } from './postgres/options.ts'
import { openSqliteStore } from './sqlite/store.ts'
import type { Store } from './store.ts'

const sqlite = 'sqlite:'

/**
 * Opens the store that a `DATABASE_URL` names and brings its tables up to date; the options are for
 * one that is reached over connections. Rejects with a `StoreRefused` when it cannot.
 */
export async function openStore(url: string, options: PostgresOptions = {}): Promise<Store> {
  if (url.startsWith(sqlite)) return openSqliteStore(url.slice(sqlite.length))
  // A start on a file does not wait until the driver of a server is loaded.
  const { openPostgresStore } = await import('./postgres/store.ts')
  return openPostgresStore(url, options)
}
