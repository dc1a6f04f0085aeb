import { openSqliteStore } from './sqlite/store.ts'
import type { Store } from './store.ts'

const sqlite = 'sqlite:'

/**
 * Opens the store that a `DATABASE_URL` names and brings its tables up to date; a store that is
 * reached over connections has `poolSize` at most. Rejects with a `StoreRefused` when it cannot.
 */
export async function openStore(url: string, poolSize?: number): Promise<Store> {
  if (url.startsWith(sqlite)) return openSqliteStore(url.slice(sqlite.length))
  // A start on a file does not wait until the driver of a server is loaded.
  const { openPostgresStore } = await import('./postgres/store.ts')
  return openPostgresStore(url, poolSize)
}
