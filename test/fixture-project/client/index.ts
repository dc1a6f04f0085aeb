// The names of this API are here, in package.json and in the class of the error.
export type * from '../generated/calls.ts'
export type { components, operations, paths } from '../generated/openapi.d.ts'
export { createClient as createAnimalStore } from './client.ts'
export { AnimalStoreError, type ErrorCode, type ErrorDetail } from './errors.ts'
export type { DeprecationEvent, RateLimit, RetryEvent } from './hooks.ts'
export type { CallOptions, ClientOptions as AnimalStoreOptions, ListOptions } from './options.ts'
export { createPacer, type Pacer } from './pacing.ts'
export type {
  CallResult,
  Client as AnimalStore,
  DataWithResponse,
  ListResult,
  PagedList,
} from './types.ts'
