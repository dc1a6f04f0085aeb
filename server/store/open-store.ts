import { openPostgresStore } from './postgres/store.ts'
import { openSqliteStore } from './sqlite/store.ts'
import type { Store } from './store.ts'

const sqlite = 'sqlite:'

/**
 * Opens the store that a `DATABASE_URL` names and brings its tables up to date; a store that is
 * reached over connections has `poolSize` at most. Rejects with a `StoreRefused` when it cannot.
 */
export async function openStore(url: string, poolSize?: number): Promise<Store> {
  return url.startsWith(sqlite)
    ? openSqliteStore(url.slice(sqlite.length))
    : openPostgresStore(url, poolSize)
}
