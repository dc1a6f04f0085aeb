import * as client from 'animal-store-client'
import { journey, type Where } from './journey.js'

/** Does a bit of everything. */
export function travel(to: Where): Promise<unknown> {
  return journey(client, to)
}

/** Sends one call, and gives the code of the error that comes of it. */
export async function fail(to: Where): Promise<string> {
  const store = client.createAnimalStore({ ...to, retry: false })
  const error = await store.listPets().catch((error) => error)
  return error instanceof client.AnimalStoreError ? error.code : String(error)
}
