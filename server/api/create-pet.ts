import type { Handler } from '../contract/handler.ts'
import { readIdempotencyKey, rejectKey, replayHeaders } from '../store/idempotent-create.ts'
import type { PetStore } from './pet-store.ts'

/** Returns the handler that adds a pet, once for each idempotency key. */
export function createPet(pets: PetStore, idempotencyHours: number): Handler<'createPet'> {
  return async ({ headers, body }, context) => {
    const key = readIdempotencyKey(headers['Idempotency-Key'], context, body, idempotencyHours)
    const created = await pets.add(body, key)
    if (!('pet' in created)) {
      return rejectKey(created.kind, context.respondError)
    }

    return context.respond(201, created.pet, replayHeaders(created.kind))
  }
}
