import type { ApiError, ErrorBodyOf, ErrorCodeOf } from '../../client/errors.ts'
import type { CallOptions, ListOptions } from '../../client/options.ts'
import { createOperationQueries, type QuerySettings } from '../../client/query-options.ts'
import type { QueriesOf } from '../../client/query-types.ts'
import type { CallResult, ListResult } from '../../client/types.ts'
import { calls, type Methods } from './generated/calls.ts'
import type { components, operations } from './generated/openapi.d.ts'

export type { QuerySettings } from '../../client/query-options.ts'
export type {
  InfiniteQueryOptionsOf,
  ListPage,
  OperationKey,
  QueryOptionsOf,
} from '../../client/query-types.ts'

type Client = Methods<CallResult, ListResult, CallOptions, ListOptions>

/** The error of a query or a mutation: that of its call. */
export interface QueryError extends ApiError<ErrorCodeOf<components>, ErrorBodyOf<operations>> {}

/** The options of React Query for each operation. */
export interface Queries extends QueriesOf<Client, typeof calls, QueryError> {}

/**
 * Creates the options of React Query (TanStack Query 5) for each operation of a client: `queryOptions` of those that
 * only read, `infiniteQueryOptions` of lists with pages, `mutationOptions` of the others.
 */
export function createQueries(client: Client, settings: QuerySettings = {}): Queries {
  return createOperationQueries<Queries>(client, calls, settings)
}
