import { createAnimalStore } from '../../../client/index.ts'
import { readServedApi } from '../../../server/served-api.ts'
import type { TestDatabase } from '../../helpers/databases/test-database.ts'
import { startServiceOf } from '../../helpers/service.ts'

/** A service of the animal store, with a client. */
export type AnimalStoreService = Awaited<ReturnType<typeof startAnimalStore>>

/** Starts a service of the animal store, with a client; see `startServiceOf`. */
export async function startAnimalStore(
  environment: Readonly<Record<string, string>> = {},
  database?: TestDatabase,
) {
  const service = await startServiceOf(readServedApi(), environment, database)
  const { baseUrl, apiKey, judgedFetch } = service
  return { ...service, client: createAnimalStore({ baseUrl, apiKey, fetch: judgedFetch }) }
}
