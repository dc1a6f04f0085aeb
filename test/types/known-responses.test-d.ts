import type { operations as Contract } from '../../generated/openapi.d.ts'
import type { OperationId } from '../../server/contract/handler.ts'
import type { ServiceHeader } from '../../server/contract/headers.ts'
import type { Nothing } from './equal.ts'

// The contract must declare no status and no header that is never sent: the compiler names it below.
// A new one is added to these lists once the handler sends it; one that is removed is reported at the
// handler. What the service sends without a handler is excluded.

type Responses<Id extends OperationId> = Contract[Id]['responses']
type OfBody<Id extends OperationId> = [NonNullable<Contract[Id]['requestBody']>] extends [never]
  ? never
  : 413 | 415
type WithoutHandler<Id extends OperationId> = 400 | 401 | 406 | 429 | 500 | 503 | OfBody<Id>
type On = {
  401: 'WWW-Authenticate'
  415: 'Accept' | 'Accept-Encoding'
  429: 'Retry-After'
  503: 'Retry-After'
}
type Names<H> = keyof { [Name in keyof H as string extends Name ? never : Name]: 0 }
type OnStatus<Status> = Status extends keyof On ? On[Status] : never
// The link to what replaces a deprecated operation; responses outside 2xx are shared with those.
type OnDeprecated<H, Status> = 'Deprecation' extends keyof H
  ? 'Link'
  : Status extends 200 | 201 | 202 | 204
    ? never
    : 'Link'

/** The statuses that nothing but the handler of an operation sends. */
type Statuses<Id extends OperationId> = Exclude<keyof Responses<Id>, WithoutHandler<Id>>
/** The headers that nothing but the handler of an operation sends. */
type Headers<Id extends OperationId> = {
  [Status in keyof Responses<Id>]: Responses<Id>[Status] extends { headers: infer H }
    ? Exclude<Names<H>, ServiceHeader | OnStatus<Status> | OnDeprecated<H, Status>>
    : never
}[keyof Responses<Id>]

type Page = 200 | 'Link'
type Creation = 201 | 409 | 422 | 'Idempotent-Replayed' | 'Retry-After'

export type UnsentByList = Nothing<Exclude<Statuses<'listPets'> | Headers<'listPets'>, Page>>
export type UnsentByCreate = Nothing<
  Exclude<Statuses<'createPet'> | Headers<'createPet'>, Creation>
>
export type UnsentByGet = Nothing<Exclude<Statuses<'getPet'> | Headers<'getPet'>, 200 | 404>>
