import { type AnimalStoreOptions, createAnimalStore } from '../../../client/index.ts'
import { type Behaviour, startScriptedServer } from './scripted-server.ts'

/** A client of a scripted server; it hardly waits between attempts. */
export async function startScriptedStore(
  behaviours: readonly Behaviour[],
  options: Partial<AnimalStoreOptions> = {},
) {
  const { baseUrl, requests } = await startScriptedServer(...behaviours)
  const store = createAnimalStore({
    baseUrl,
    apiKey: 'ask_test',
    retry: { backoff: 1 },
    onDeprecation: () => undefined,
    ...options,
  })
  return { store, requests, baseUrl }
}
