import createFetchClient, { type Client as FetchClient } from 'openapi-fetch'
import { readArguments } from './arguments.ts'
import type { ApiErrorClass } from './errors.ts'
import { readRateLimit } from './hooks.ts'
import type { Operation } from './operation.ts'
import {
  type ClientOptions,
  type Config,
  callRules,
  type ListOptions,
  listRules,
  type OptionRules,
  readClientOptions,
  readOptions,
} from './options.ts'
import { withResponse } from './pagination.ts'
import { type Query, writeUsual } from './parameters.ts'
import { type Call, runCall, sendRequest } from './request.ts'
import { type FetchResult, type Receiving, readJson } from './response-content.ts'
import { idempotencyKey } from './retry.ts'
import type { DataWithResponse } from './types.ts'

/**
 * Creates a client of an API whose operations take an API key as the bearer token, with a method for each
 * of them and the class of its errors; throws a `TypeError` when an option is unknown or invalid.
 */
export function createClient<Client extends { readonly raw: unknown }>(
  options: ClientOptions,
  operations: Operations<Client, Operation & { readonly security?: never }>,
  ErrorClass: ApiErrorClass,
): Client {
  return createMethods<Client>(readClientOptions(options, ErrorClass), operations)
}

/** The operations of a client, by the names of its methods. */
export type Operations<Client, Row> = Readonly<Record<Exclude<keyof Client, 'raw'>, Row>>

/** Creates the methods of a client whose options were checked. */
export function createMethods<Client>(
  config: Config,
  operations: Operations<Client, Operation>,
): Client {
  const raw = createFetchClient<object>({
    baseUrl: config.baseUrl,
    // A redirect may turn a POST into a GET, whose response would pass for that of a create.
    redirect: 'manual',
    fetch(request) {
      const label = `${request.method} ${new URL(request.url).pathname}`
      const callee = { operationId: label, label }
      return runCall(config, { signal: request.signal }, callee, (call, signal) => {
        return sendRequest(call, request, signal)
      })
    },
  })

  const methods = Object.entries<Operation>(operations).map(([operationId, operation]) => {
    return [operationId, createMethod(config, raw, operationId, operation)] as const
  })

  // The operations have the names of the methods, and are generated together with their types.
  return { ...Object.fromEntries(methods), raw } as unknown as Client
}

// The operation decides at run time what the types of openapi-fetch decide at compile time.
type Send = (method: string, path: string, init: object) => Promise<FetchResult>

function createMethod(
  config: Config,
  raw: FetchClient<object>,
  operationId: string,
  operation: Operation,
) {
  const { method, path, parameters, pages, responses, headers: ownHeaders } = operation
  const { ErrorClass } = config
  const callee = { operationId, operation, label: `${method.toUpperCase()} ${path}` }
  const usualRules = pages ? listRules : callRules
  const rules: OptionRules = Object.assign({}, usualRules, ...(operation.options ?? []))
  const write = parameters?.write ?? writeUsual
  const readContent = responses?.read ?? readJson

  return (...args: unknown[]) => {
    const input = readArguments(operation, args)

    /** Sends a request; `read` returns the data that the content of the response is. */
    async function send<Data>(
      query: Query,
      read: (content: unknown, call: Call, query: Query, response: Response) => Data,
      givenOptions: ListOptions = input.options,
      receiving?: Receiving,
    ): Promise<DataWithResponse<Awaited<Data>>> {
      const options = readOptions(operationId, givenOptions, rules)
      const values = { ...options, path: input.path, query }
      const writtenParameters = write(operationId, values, parameters?.styles)
      const upload = operation.upload?.prepare(operation.upload, input.body, options)
      // The parameters of a call may replace these headers. All attempts have the same key.
      const headers = {
        [idempotencyKey]: operation.idempotent ? createKey() : undefined,
        'Content-Type': operation.body === true ? upload?.type : operation.body,
      }

      return runCall(config, options, { ...callee, receiving, upload }, async (call, signal) => {
        const result = await (raw.request as Send)(method, path, {
          ...writtenParameters,
          headers,
          // An upload is added to each attempt.
          body: upload ? undefined : input.body,
          parseAs: receiving ? 'stream' : 'text',
          fetch: (request: Request) => sendRequest(call, request, signal),
        })

        const { response } = result
        const data = await read(readContent(call, result), call, query, response)
        const requestId = response.headers.get('x-request-id') ?? undefined
        const rateLimit = readRateLimit(response.headers)
        const declared = ownHeaders?.read(ownHeaders.kinds, response.headers)
        return { data, response, requestId, rateLimit, ...declared }
      })
    }

    const result = responses?.createResult?.({ ...input, operation, send })
    if (result !== undefined) {
      return result
    }
    return pages === undefined
      ? withResponse(send(input.query, (content) => content))
      : pages.createList({ ...input, operationId, ErrorClass, attempts: 0, getPage: send }, pages)
  }
}

// Pages without TLS have no `randomUUID`.
function createKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}
