import { readArguments } from './arguments.ts'
import type { Operation } from './operation.ts'
import type { QueryPage } from './pagination.ts'
import type { Query } from './parameters.ts'
import type { ListPage, OperationKey, SafeMethod } from './query-types.ts'
import { isRecord } from './record.ts'

/** How the queries of a client are told apart from others. */
export interface QuerySettings {
  /** What every key begins with, where an application has two clients with operations of the same name. */
  readonly keyPrefix?: readonly unknown[]
}

const safeMethods: readonly SafeMethod[] = ['get', 'head', 'options', 'query']

/** A method of a client, which is checked by the type of the options. */
type Method = (...values: unknown[]) => PromiseLike<unknown>

/** Creates the options of React Query for each operation of a client, but those whose results are streams of items. */
export function createOperationQueries<Queries>(
  client: object,
  operations: Readonly<Record<string, Operation>>,
  { keyPrefix = [] }: QuerySettings,
): Queries {
  // A client has a method for each operation.
  const methods = client as Readonly<Record<string, Method>>
  const options = Object.entries(operations).flatMap(([operationId, operation]) => {
    const method = methods[operationId]
    const isStream = operation.responses?.items !== undefined
    if (method === undefined || isStream) {
      return []
    }

    const key = [...keyPrefix, operationId]
    const isSafe = safeMethods.some((name) => name === operation.method)
    const entry = isSafe ? createReading(operation, method, key) : createWriting(method, key)
    return [[operationId, entry] as const]
  })
  // The type is made of the same operations.
  return Object.fromEntries(options) as Queries
}

/** Creates the options of an operation that changes something. */
function createWriting(method: Method, mutationKey: OperationKey) {
  const mutationFn = (values: readonly unknown[]) => method(...values)
  return { mutationOptions: () => ({ mutationKey, mutationFn, retry: false }) }
}

interface QueryContext {
  readonly signal: AbortSignal
}

interface PageContext extends QueryContext {
  readonly pageParam: Query
}

/**
 * Creates the options of an operation that only reads. The client retries, not React Query: it knows what is safe to
 * repeat, and when the service asks for a delay.
 */
function createReading(operation: Operation, method: Method, key: OperationKey) {
  const call = createCall(operation, method)
  const read = operation.pages ? toPlainPage : toData
  const queryKey = (...values: readonly unknown[]) => toKey(operation, key, values)

  function queryOptions(...values: readonly unknown[]) {
    return {
      queryKey: queryKey(...values),
      queryFn: async ({ signal }: QueryContext) => read(await call(values, signal)),
      retry: false,
    }
  }

  function infiniteQueryOptions(...values: readonly unknown[]) {
    return {
      queryKey: toKey(operation, key, values, { pages: true }),
      queryFn: async ({ signal, pageParam }: PageContext) => {
        return toPlainPage(await call(values, signal, pageParam))
      },
      initialPageParam: readArguments(operation, values).query,
      getNextPageParam: ({ next }: ListPage<unknown, Query>) => next,
      retry: false,
    }
  }

  const hasPages = operation.pages && operation.query
  return { queryKey, queryOptions, ...(hasPages && { infiniteQueryOptions }) }
}

/** Returns a function that calls a method with the signal of a query, and with the query of a page. */
function createCall(operation: Operation, method: Method) {
  const pathParameters = Object.keys(readArguments(operation, []).path)
  const queryAt = pathParameters.length + (operation.body ? 1 : 0)
  const optionsAt = queryAt + (operation.query ? 1 : 0)

  return (values: readonly unknown[], signal: AbortSignal, query?: Query) => {
    const args = [...values]
    args[queryAt] = query ?? args[queryAt]
    const options = args[optionsAt]
    args[optionsAt] = { ...(isRecord(options) ? options : {}), signal }
    return method(...args)
  }
}

/**
 * Returns the key of a query. Options are no part of it: they may have credentials, which do not belong into a page
 * that a server renders, or the ID of a trace, which no other query has.
 */
function toKey(
  operation: Operation,
  key: OperationKey,
  values: readonly unknown[],
  more: object = {},
): OperationKey {
  const { path, body, query } = readArguments(operation, values)
  const input = Object.entries({ path, body, query, ...more }).filter(([, value]) => {
    const isEmpty = isRecord(value) && Object.keys(value).length === 0
    return value !== undefined && !isEmpty
  })
  return input.length === 0 ? key : [...key, Object.fromEntries(input)]
}

/** Returns the data of a query, which is never undefined for React Query. */
function toData(data: unknown): unknown {
  return data === undefined ? null : data
}

/** Returns a page as plain data: JSON would drop the `next` of an array. */
function toPlainPage(data: unknown): unknown {
  // The call of a list resolves to a page.
  const page = data as QueryPage & { readonly body?: unknown }
  const { next, body } = page
  return { items: [...page], ...(next && { next }), ...('body' in page && { body }) }
}
