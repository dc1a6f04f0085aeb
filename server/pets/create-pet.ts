import type { Handler, HandlerResponse } from '../contract/handler.ts'
import { createdResponse, onceOf, rejectKey } from '../store/idempotent-create.ts'
import type { PetStore } from './pet-store.ts'

/** Returns the handler that adds a pet, once for each idempotency key. */
export function createPet(pets: PetStore, idempotencyHours: number): Handler<'createPet'> {
  return async ({ headers, body }, { callerId }): Promise<HandlerResponse<'createPet'>> => {
    const once = onceOf(headers['Idempotency-Key'], callerId, body, idempotencyHours)
    const addition = await pets.add(body, once)
    if ('pet' in addition) return createdResponse(addition.kind, addition.pet)
    return rejectKey(addition.kind)
  }
}
