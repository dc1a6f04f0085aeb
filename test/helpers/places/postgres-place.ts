import type { Place } from './place.ts'
import { connect, createSchema, query } from './postgres-server.ts'

/** A store in a schema of its own. */
export async function createPostgresPlace(): Promise<Place> {
  return placeAt(await createSchema())
}

/** A store in a database that is there. */
export function placeAt(url: string): Place {
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
