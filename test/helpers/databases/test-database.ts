import { onTestFinished } from 'vitest'
import type { Api } from '../../../server/served-api.ts'
import { openStore, type Store } from '../../../server/store/store.ts'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import { atFileEnd } from '../file-end.ts'
import { createSqliteDatabase } from './sqlite-database.ts'

/** The database of a test. */
export interface TestDatabase {
  /** The `DATABASE_URL` of this store. */
  readonly url: string
  /** Milliseconds that a request may wait for the database, if not those of the service. */
  readonly timeout?: number
  /** Runs a statement on a connection of its own, and returns its rows. */
  readonly execute: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Blocks every write to a table until the returned function is called. */
  readonly blockWriters: (table: string) => Promise<() => Promise<void>>
}

let create: () => Promise<TestDatabase> = createSqliteDatabase

/** Creates an empty database of the kind that this test file uses; it is removed when the test ends. */
export const createUsualDatabase = () => create()

/** Lets the test services of this test file use databases of another kind than SQLite. */
export function useDatabases(other: typeof create): void {
  create = other
  atFileEnd(() => {
    create = createSqliteDatabase
  })
}

/**
 * Opens a store of the fixture API, or of another one; twice for two instances on the same data. It is
 * closed when the test ends.
 */
export async function openAt(
  { url }: Pick<TestDatabase, 'url'>,
  { schema }: Pick<Api, 'schema'> = fixtureApi,
): Promise<Store> {
  const store = await openStore(url, schema)
  onTestFinished(() => store.close())
  return store
}
