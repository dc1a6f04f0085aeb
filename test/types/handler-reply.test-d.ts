import type { operations } from '../../generated/openapi.d.ts'
import { failure } from '../../server/contract/answer/error-reply.ts'
import type { Handler, OperationId, Reply } from '../../server/contract/handler.ts'
import type { Equal, Expect } from './equal.ts'

type Declared<Id extends OperationId> = keyof operations[Id]['responses']

export type OfListPets = Expect<Equal<Reply<'listPets'>['status'], Declared<'listPets'>>>
export type OfCreatePet = Expect<Equal<Reply<'createPet'>['status'], Declared<'createPet'>>>
export type OfGetPet = Expect<Equal<Reply<'getPet'>['status'], Declared<'getPet'>>>

type Created = Extract<Reply<'createPet'>, { readonly status: 201 }>

const rex = { id: 1, name: 'Rex', categoryId: 7 }
const inProgress = failure(409, 'idempotency_in_progress', 'It is still running.')
const unavailable = failure(503, 'unavailable', 'The store is gone.')

export const replies: Reply<'createPet'>[] = [
  { status: 201, body: rex },
  { status: 201, body: rex, headers: {} },
  { status: 201, body: { ...rex, status: 'sold' }, headers: { 'Idempotent-Replayed': true } },
  { ...inProgress, headers: { 'Retry-After': 1 } },
  { ...unavailable, headers: { 'Retry-After': 1 } },
  failure(422, 'idempotency_key_reused', 'Another body.'),
]
export const optional: Reply<'listPets'> = { status: 200, body: [], headers: { Link: undefined } }
export const later: Handler<'getPet'> = async () => failure(404, 'not_found', 'There is none.')
export const atOnce: Handler<'getPet'> = () => ({ status: 200, body: rex })

// @ts-expect-error 418 is not declared
export const teapot: Handler<'getPet'> = async () => ({ status: 418, body: rex })
// @ts-expect-error getPet answers 200, not 201
export const created: Handler<'getPet'> = async () => ({ status: 201, body: rex })
// @ts-expect-error 413 is declared for createPet, not for getPet
export const tooLarge: Handler<'getPet'> = async () => failure(413, 'payload_too_large', 'A lot.')
// @ts-expect-error a reply has a status
export const vague: Handler<'getPet'> = async () => ({ body: rex })

// @ts-expect-error a list is an array
export const single: Handler<'listPets'> = async () => ({ status: 200, body: rex })
// @ts-expect-error an animal has a category
export const loose: Handler<'getPet'> = async () => ({ status: 200, body: { id: 1, name: 'Rex' } })
// @ts-expect-error an id is a number
export const text: Handler<'getPet'> = async () => ({ status: 200, body: { ...rex, id: '1' } })
// @ts-expect-error 200 has a body
export const bare: Handler<'getPet'> = async () => ({ status: 200 })
// @ts-expect-error the contract has no field colour
export const coloured: Reply<'getPet'> = { status: 200, body: { ...rex, colour: 'brown' } }
// @ts-expect-error 404 is told with an Error object
export const told: Handler<'getPet'> = async () => ({ status: 404, body: rex })
// @ts-expect-error a handler answers
export const silent: Handler<'getPet'> = async () => undefined

// @ts-expect-error rate_limited goes with 429
export const limited: Handler<'getPet'> = async () => failure(404, 'rate_limited', 'Wait.')
// @ts-expect-error there is no such code
failure(404, 'pet_not_found', 'There is none.')
// @ts-expect-error the status of the Error object is the HTTP status
export const torn: Reply<'getPet'> = { ...failure(404, 'not_found', 'None.'), status: 400 }

// @ts-expect-error 409 says when to try again
export const hasty: Handler<'createPet'> = async () => inProgress
// @ts-expect-error 503 says when to try again
export const away: Handler<'createPet'> = async () => ({ ...unavailable, headers: {} })
// @ts-expect-error Retry-After is a number of seconds
export const soon: Reply<'createPet'> = { ...inProgress, headers: { 'Retry-After': 'soon' } }
// @ts-expect-error getPet declares no Retry-After for 200
export const again: Reply<'getPet'> = { status: 200, body: rex, headers: { 'Retry-After': 1 } }
// @ts-expect-error the contract has no header X-Colour
export const extra: Reply<'listPets'> = { status: 200, body: [], headers: { 'X-Colour': 'red' } }
// @ts-expect-error this header is there or not, never false
export const no: Created = { status: 201, body: rex, headers: { 'Idempotent-Replayed': false } }
