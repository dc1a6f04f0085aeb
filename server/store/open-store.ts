import type { PostgresOptions } from './postgres/options.ts'
import type { FileNotices } from './sqlite/database.ts'
import { openSqliteStore } from './sqlite/store.ts'
import type { Store } from './store.ts'

const sqlite = 'sqlite:'

/** What those who open a store may choose: of PostgreSQL, and of files. */
export interface StoreOptions extends PostgresOptions, FileNotices {}

/**
 * Opens the store that a `DATABASE_URL` names and brings its tables up to date. Rejects with a
 * `StoreRefused` when it cannot.
 */
export async function openStore(url: string, options: StoreOptions = {}): Promise<Store> {
  if (url.startsWith(sqlite)) return openSqliteStore(url.slice(sqlite.length), options)
  // A start on a file does not wait until the driver of a server is loaded.
  const { openPostgresStore } = await import('./postgres/store.ts')
  return openPostgresStore(url, options)
}
