// biome-ignore-all assist/source/organizeImports: the fixture project has this file with other paths.
// The client of the fixture API, bound as the `client/index.ts` of a project binds its own.

import { createClient } from '../../client/client.ts'
import { ApiError, type ErrorBodyOf, type ErrorCodeOf } from '../../client/errors.ts'
import type { CallOptions, ClientOptions, ListOptions } from '../../client/options.ts'
import type { CallResult, ListResult, RawClient } from '../../client/types.ts'
import { calls, type Methods } from './generated/calls.ts'
import type { components, operations, paths } from './generated/openapi.d.ts'

export type { ErrorDetail } from '../../client/errors.ts'
export type { DeprecationEvent, RateLimit, RetryEvent } from '../../client/hooks.ts'
export type {
  CallOptions,
  ClientOptions as ToolLibraryOptions,
  ListOptions,
} from '../../client/options.ts'
export { createPacer, type Pacer } from '../../client/pacing.ts'
export type { CallResult, DataWithResponse, ListResult, PagedList } from '../../client/types.ts'
export type * from './generated/calls.ts'
export type { components, operations, paths } from './generated/openapi.d.ts'

/** The codes of the contract, those of the client, and those of a later contract. */
export type ErrorCode = ErrorCodeOf<components>

/** The error of a call that the service rejected, or that got no response of the contract. */
export class ToolLibraryError extends ApiError<ErrorCode, ErrorBodyOf<operations>> {
  override readonly name = 'ToolLibraryError'
}

/** A client: a method for each operation, and the openapi-fetch client beneath. */
export interface ToolLibrary
  extends Methods<CallResult, ListResult, CallOptions, ListOptions>,
    RawClient<paths> {}

/** Creates a client of the API; throws a `TypeError` when an option is unknown or invalid. */
export function createToolLibrary(options: ClientOptions): ToolLibrary {
  return createClient<ToolLibrary>(options, calls, ToolLibraryError)
}
