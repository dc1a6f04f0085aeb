import { readConfig } from '../config.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { CommandRefused } from './command-refused.ts'

/**
 * Opens the store that `DATABASE_URL` names, where this process is not the only one to see it; a
 * piece of work may take as long as `timeout` says, in milliseconds.
 */
export async function openNamedStore(timeout?: number): Promise<Store> {
  const { databaseUrl } = readConfig(process.env)
  if (databaseUrl === 'sqlite::memory:') {
    throw new CommandRefused('sqlite::memory: is seen by one process alone. Name a file instead.')
  }
  const onRestricted = console.error
  return openStore(
    databaseUrl,
    timeout === undefined ? { onRestricted } : { timeout, onRestricted },
  )
}
