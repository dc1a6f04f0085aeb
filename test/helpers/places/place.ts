import { onTestFinished } from 'vitest'
import { openStore, type Store } from '../../../server/store/store.ts'

/** Where an engine keeps one store, and what only the engine's owner can do there. */
export interface Place {
  /** What `DATABASE_URL` is for this store. */
  readonly url: string
  /** Milliseconds that a request may wait for a database, if not the usual ones. */
  readonly timeout?: number
  /** Deletes an animal behind the store's back. */
  readonly deleteAnimal: (id: number) => Promise<void>
  /** Keeps every writer waiting until the returned function is called. */
  readonly blockWriters: () => Promise<() => Promise<void>>
  /** Takes the table of the animals away. */
  readonly dropAnimals: () => Promise<void>
}

/** Makes a place that nothing was kept in yet; it is gone when the test is finished. */
export type CreatePlace = () => Promise<Place>

/** Opens a store; twice for two instances on the same animals. It is closed when the test ends. */
export async function openAt({ url }: Pick<Place, 'url'>): Promise<Store> {
  const store = await openStore(url)
  onTestFinished(() => store.close())
  return store
}
