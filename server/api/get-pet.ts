import { errorResponse } from '../contract/errors.ts'
import type { Handler, HandlerResponse } from '../contract/handler.ts'
import type { PetStore } from './pet-store.ts'

/** Returns the handler that responds with one pet. */
export function getPet(pets: PetStore): Handler<'getPet'> {
  return async ({ path: { petId } }): Promise<HandlerResponse<'getPet'>> => {
    const body = await pets.find(petId)
    if (body === undefined) return errorResponse(404, 'not_found', `There is no pet ${petId}.`)
    return { status: 200, body }
  }
}
