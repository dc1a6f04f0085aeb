import type { Handler } from '../contract/handler.ts'
import type { PetStore } from './pet-store.ts'

/** Returns the handler that responds with one pet. */
export function getPet(pets: PetStore): Handler<'getPet'> {
  return async ({ path: { petId } }, { respond, respondError }) => {
    const pet = await pets.find(petId)
    if (pet === undefined) {
      return respondError(404, 'not_found', `There is no pet ${petId}.`)
    }

    return respond(200, pet)
  }
}
