import { openSqliteStore } from './sqlite/store.ts'
import type { Store } from './store.ts'

/**
 * Opens the store that a `DATABASE_URL` names and brings its tables up to date.
 * Rejects with a `StoreRefused` when it cannot.
 */
export async function openStore(url: string): Promise<Store> {
  return openSqliteStore(url.slice('sqlite:'.length))
}
