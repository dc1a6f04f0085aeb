import type { Handlers } from '../contract/handler.ts'
import { createPageCursors } from '../contract/page-cursor.ts'
import type { Store } from '../store/store.ts'
import { createPet } from './create-pet.ts'
import { getPet } from './get-pet.ts'
import { listPets } from './list-pets.ts'

export interface HandlerOptions {
  readonly store: Store
  /** For how many hours a repeated `createPet` is recognised. */
  readonly idempotencyHours: number
}

/** Returns the handlers of all operations. */
export function createHandlers({ store, idempotencyHours }: HandlerOptions): Handlers {
  const { pets } = store
  return {
    listPets: listPets(pets, createPageCursors(store.secret)),
    createPet: createPet(pets, idempotencyHours),
    getPet: getPet(pets),
  }
}
