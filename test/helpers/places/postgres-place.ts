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
    deleteAnimal: async (id) => void (await query(url, 'DELETE FROM animals WHERE id = $1', [id])),
    async blockWriters() {
      const client = await connect(url)
      await client.query('BEGIN; LOCK TABLE animals IN EXCLUSIVE MODE')
      return () => client.end()
    },
    dropAnimals: async () => void (await query(url, 'DROP TABLE animals')),
  }
}
