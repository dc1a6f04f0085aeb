import type { Place } from '../../support/places/place.ts'
import { connect } from '../../support/places/postgres-server.ts'

/** Keeps everybody from the animals, readers too. */
export async function lockAnimals({ url }: Pick<Place, 'url'>) {
  const client = await connect(url)
  await client.query('BEGIN; LOCK TABLE animals IN ACCESS EXCLUSIVE MODE')
  return client
}
