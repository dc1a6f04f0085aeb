import { onTestFinished } from 'vitest'
import { readServedApi } from '../../../server/api.ts'
import { openStore, type Store } from '../../../server/store/store.ts'
import { createSqliteDatabase } from './sqlite-database.ts'

/** The database of a test, with what only its owner can do. */
export interface TestDatabase {
  /** What `DATABASE_URL` is for this store. */
  readonly url: string
  /** Milliseconds that a request may wait for a database, if not the usual ones. */
  readonly timeout?: number
  /** Runs a statement behind the store's back, and returns its rows. */
  readonly execute: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Keeps every writer to a table waiting until the returned function is called. */
  readonly blockWriters: (table: string) => Promise<() => Promise<void>>
}

/** Creates an empty database, which is removed when the test ends. */
export type CreateTestDatabase = () => Promise<TestDatabase>

let createUsual: CreateTestDatabase = createSqliteDatabase

/** Creates the database of a test service that is given none. */
export const createUsualDatabase: CreateTestDatabase = () => createUsual()

/** Lets the test services of this test file use other databases. */
export function useDatabases(create: CreateTestDatabase): void {
  createUsual = create
}

/** Opens a store; twice for two instances on the same data. It is closed when the test ends. */
export async function openAt(
  { url }: Pick<TestDatabase, 'url'>,
  { schema } = readServedApi(),
): Promise<Store> {
  const store = await openStore(url, schema)
  onTestFinished(() => store.close())
  return store
}
