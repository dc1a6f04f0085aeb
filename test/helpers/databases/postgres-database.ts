import { connect, createSchema, query } from './postgres-server.ts'
import type { TestDatabase } from './test-database.ts'

/** Creates a database in a schema of its own; skips the test where there is no PostgreSQL. */
export async function createPostgresDatabase(): Promise<TestDatabase> {
  return databaseAt(await createSchema())
}

/** Returns a database that exists. */
export function databaseAt(url: string): TestDatabase {
  return {
    url,
    execute: (sql) => query(url, sql),
    async blockWriters(table) {
      const client = await connect(url)
      await client.query(`BEGIN; LOCK TABLE ${table} IN EXCLUSIVE MODE`)
      return () => client.end()
    },
  }
}
