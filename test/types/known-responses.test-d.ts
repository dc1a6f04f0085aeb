import type { operations as Contract } from '../../generated/openapi.d.ts'
import type { operations as table } from '../../generated/operations.ts'
import type { OperationId } from '../../server/contract/handler.ts'
import type { Equal, Expect } from './equal.ts'

// The contract must declare no status and no header that is never sent. A new one belongs here, once
// the handler sends it; the compiler reports one that is removed at the handler. What the service
// sends without a handler is excluded.

type Responses<Id extends OperationId> = Contract[Id]['responses']
type OfBody<Id extends OperationId> = [NonNullable<Contract[Id]['requestBody']>] extends [never]
  ? never
  : 413 | 415
type WithoutHandler<Id extends OperationId> = 400 | 401 | 406 | 429 | 500 | 503 | OfBody<Id>
type OnEvery =
  | 'X-RateLimit-Limit'
  | 'X-RateLimit-Remaining'
  | 'X-RateLimit-Reset'
  | 'X-Request-Id'
  | 'Cache-Control'
  | 'X-Content-Type-Options'
type OnDeprecated = 'Deprecation' | 'Sunset' | 'Link'
type On = {
  401: 'WWW-Authenticate'
  415: 'Accept' | 'Accept-Encoding'
  429: 'Retry-After'
  503: 'Retry-After'
}

type Names<H> = keyof { [Name in keyof H as string extends Name ? never : Name]: 0 }
type OnStatus<Status> = Status extends keyof On ? On[Status] : never
// Responses outside 2xx are shared with deprecated operations.
type OnOperation<Id extends OperationId, Status> = (typeof table)[Id] extends {
  deprecation: object
}
  ? OnDeprecated
  : Status extends 200 | 201 | 202 | 204
    ? never
    : OnDeprecated

/** The statuses that nothing but the handler of an operation sends. */
type Statuses<Id extends OperationId> = Exclude<keyof Responses<Id>, WithoutHandler<Id>>
/** The headers that nothing but the handler of an operation sends. */
type Headers<Id extends OperationId> = {
  [Status in keyof Responses<Id>]: Responses<Id>[Status] extends { headers: infer H }
    ? Exclude<Names<H>, OnEvery | OnStatus<Status> | OnOperation<Id, Status>>
    : never
}[keyof Responses<Id>]

export type ListPetsStatuses = Expect<Equal<Exclude<Statuses<'listPets'>, 200>, never>>
export type ListPetsHeaders = Expect<Equal<Exclude<Headers<'listPets'>, 'Link'>, never>>
export type CreatePetStatuses = Expect<
  Equal<Exclude<Statuses<'createPet'>, 201 | 409 | 422>, never>
>
export type CreatePetHeaders = Expect<
  Equal<Exclude<Headers<'createPet'>, 'Idempotent-Replayed' | 'Retry-After'>, never>
>
export type GetPetStatuses = Expect<Equal<Exclude<Statuses<'getPet'>, 200 | 404>, never>>
export type GetPetHeaders = Expect<Equal<Headers<'getPet'>, never>>
