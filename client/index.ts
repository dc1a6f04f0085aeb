// The names of this API are here and in package.json; no other file of the client knows them.
import { calls, type Methods } from '../generated/calls.ts'
import type { components, operations, paths } from '../generated/openapi.d.ts'
import { createClient } from './client.ts'
import { ApiError, type ErrorBodyOf, type ErrorCodeOf } from './errors.ts'
import type { CallOptions, ClientOptions, ListOptions } from './options.ts'
import type { CallResult, ListResult, RawClient } from './types.ts'

export type * from '../generated/calls.ts'
export type { components, operations, paths } from '../generated/openapi.d.ts'
export type { ErrorDetail } from './errors.ts'
export type { DeprecationEvent, RateLimit, RetryEvent } from './hooks.ts'
export type { CallOptions, ClientOptions as AnimalStoreOptions, ListOptions } from './options.ts'
export { createPacer, type Pacer } from './pacing.ts'
export type { CallResult, DataWithResponse, ListResult, PagedList } from './types.ts'

/** The codes of the contract, those of the client, and those of a later contract. */
export type ErrorCode = ErrorCodeOf<components>

/** The error of a call that the service rejected, or that got no response of the contract. */
export class AnimalStoreError extends ApiError<ErrorCode, ErrorBodyOf<operations>> {
  override readonly name = 'AnimalStoreError'
}

/** A client: a method for each operation, and the openapi-fetch client beneath. */
export interface AnimalStore
  extends Methods<CallResult, ListResult, CallOptions, ListOptions>,
    RawClient<paths> {}

/** Creates a client of the API; throws a `TypeError` when an option is unknown or invalid. */
export function createAnimalStore(options: ClientOptions): AnimalStore {
  return createClient<AnimalStore>(options, calls, AnimalStoreError)
}
