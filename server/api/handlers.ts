import type { Handlers } from '../contract/handler.ts'
import { createPageCursors } from '../contract/page-cursor.ts'
import type { HandlerOptions } from '../served-api.ts'
import { createPet } from './create-pet.ts'
import { getPet } from './get-pet.ts'
import { listPets } from './list-pets.ts'
import { createPetStore } from './pet-store.ts'

/** Returns the handlers of all operations. */
export function createHandlers({ store, idempotencyHours }: HandlerOptions): Handlers {
  const pets = createPetStore(store.database)
  return {
    listPets: listPets(pets, createPageCursors(store.secret)),
    createPet: createPet(pets, idempotencyHours),
    getPet: getPet(pets),
  }
}
