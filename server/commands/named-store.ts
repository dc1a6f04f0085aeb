import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { readConfig } from '../config.ts'
import { StoreUnavailable } from '../store/errors.ts'
import { openStore, type Store } from '../store/store.ts'
import { CommandError } from './command.ts'

/** The timeout of a database operation with many rows, in milliseconds: no client waits for it. */
export const bulkTimeout = 30_000

/** For how long a database operation is retried while the store is unavailable, and how often. */
const [retryTime, retryPause] = [30_000, 1_000]

/** Runs work on the store that `DATABASE_URL` names, and closes it; the timeout is that of a request by default. */
export async function withStore<Result>(
  work: (store: Store) => Promise<Result>,
  timeout?: number,
): Promise<Result> {
  const onRestricted = console.error
  const options = timeout === undefined ? { onRestricted } : { timeout, onRestricted }
  const store = await openStore(databaseUrl(), options)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** Returns the SQLite file that `DATABASE_URL` names; for PostgreSQL, throws the advice. */
export function databaseFile(adviceForPostgres: string): string {
  const name = /^sqlite:(.*)$/s.exec(databaseUrl())?.[1]
  if (name === undefined) throw new CommandError(adviceForPostgres)
  return resolve(name)
}

/** Throws a `CommandError` if a file does not exist. */
export function assertExists(file: string, what: string): void {
  if (!existsSync(file)) throw new CommandError(`There is no ${what} ${file}.`)
}

function databaseUrl(): string {
  const { databaseUrl: url } = readConfig(process.env)
  if (url !== 'sqlite::memory:') return url
  throw new CommandError('sqlite::memory: is seen by one process alone. Name a file instead.')
}

/** Runs work that is safe to repeat, and retries it for half a minute while the store is unavailable. */
export async function retry<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  for (let deadline: number | undefined; ; ) {
    try {
      return await work()
    } catch (error) {
      deadline ??= performance.now() + retryTime
      if (!(error instanceof StoreUnavailable) || performance.now() > deadline) throw error
      await wait(retryPause, undefined, { signal }).catch(() => {
        throw error
      })
    }
  }
}
