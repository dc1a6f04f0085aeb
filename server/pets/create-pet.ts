import { hash } from 'node:crypto'
import { failure } from '../contract/errors.ts'
import type { Handler, HandlerResponse } from '../contract/handler.ts'
import type { NewPet, Once, PetStore } from '../store/pet-store.ts'

const hour = 3_600_000

/** Returns the handler that adds a pet, once for each idempotency key. */
export function createPet(pets: PetStore, idempotencyHours: number): Handler<'createPet'> {
  return async ({ headers, body }, { callerId }): Promise<HandlerResponse<'createPet'>> => {
    const once = onceOf(headers['Idempotency-Key'], callerId, body, idempotencyHours)
    const addition = await pets.add(body, once)
    switch (addition.kind) {
      case 'added':
        return { status: 201, body: addition.pet }
      case 'repeated':
        return { status: 201, body: addition.pet, headers: { 'Idempotent-Replayed': true } }
      case 'reused': {
        const message = 'This Idempotency-Key was used with another body.'
        return failure(422, 'idempotency_key_reused', message)
      }
      case 'in-progress': {
        const message = 'The first request with this Idempotency-Key is still running.'
        const rejection = failure(409, 'idempotency_in_progress', message)
        return { ...rejection, headers: { 'Retry-After': 1 } }
      }
    }
  }
}

function onceOf(
  field: string | undefined,
  callerId: string | undefined,
  body: NewPet,
  hours: number,
): Once | undefined {
  if (field === undefined || callerId === undefined) return undefined
  return {
    callerId,
    key: unquote(field),
    fingerprint: fingerprintOf(body),
    expiresAt: Date.now() + hours * hour,
  }
}

/** Returns the key without the quotes of the draft (RFC 9651, section 3.3.3). */
function unquote(field: string): string {
  if (!field.startsWith('"')) return field
  return field.slice(1, -1).replaceAll(/\\(["\\])/g, '$1')
}

// Bodies are compared by their values: the order of fields does not matter.
function fingerprintOf(body: NewPet): string {
  const fields = Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1))
  return hash('sha256', JSON.stringify(fields), 'hex')
}
