import createFetchClient, { type Client as FetchClient } from 'openapi-fetch'
import { type ApiErrorClass, responseError } from './errors.ts'
import { readRateLimit } from './hooks.ts'
import type { Query } from './next-page.ts'
import type { Operation } from './operation.ts'
import {
  type ClientOptions,
  type Config,
  callRules,
  checkOptions,
  type ListOptions,
  listRules,
  readClientOptions,
  readHeaders,
} from './options.ts'
import { createList, type QueryPage, toPage, withResponse } from './pagination.ts'
import { writeParameter } from './parameter-style.ts'
import { type Call, createCall, runCall, sendRequest } from './request.ts'
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
      const call = createCall(config, { signal: request.signal }, { operationId: label, label })
      return runCall(call, (signal) => sendRequest(call, request, signal))
    },
  })

  const methods = Object.entries<Operation>(operations).map(([operationId, operation]) => {
    return [operationId, createMethod(config, raw, operationId, operation)] as const
  })

  // The operations have the names of the methods, and are generated together with their types.
  return { ...Object.fromEntries(methods), raw } as unknown as Client
}

/** What a call sends, and its options. */
interface CallInput {
  readonly path: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly query: Query
  readonly options: ListOptions
}

/** A result of openapi-fetch with `parseAs: 'text'`; it parses errors that are JSON. */
interface FetchResult {
  readonly data?: unknown
  readonly error?: unknown
  readonly response: Response
}

// The operation decides at run time what the types of openapi-fetch decide at compile time.
type Send = (method: string, path: string, init: object) => Promise<FetchResult>

function createMethod(
  config: Config,
  raw: FetchClient<object>,
  operationId: string,
  operation: Operation,
) {
  const { method, path, pages } = operation
  const label = `${method.toUpperCase()} ${path}`
  const pathNames = Array.from(path.matchAll(/\{([^{}]+)\}/g), ([, name = '']) => name)

  async function send(input: CallInput, query: Query): Promise<DataWithResponse<unknown>> {
    checkOptions(operationId, input.options, pages === undefined ? callRules : listRules)
    const pathTexts = writePath(operationId, operation, pathNames, input.path)
    const headers = createHeaders(operation, input.options)

    const call = createCall(config, input.options, { operationId, label, operation })
    const result = await runCall(call, (signal) =>
      (raw.request as Send)(method, path, {
        params: { path: pathTexts, query },
        pathSerializer: fillPath,
        querySerializer: (values: Query) => writeQuery(operation, values),
        headers,
        body: input.body,
        parseAs: 'text',
        fetch: (request: Request) => sendRequest(call, request, signal),
      }),
    )

    const { response } = result
    const content = readContent(call, result, operation)
    const data = pages === undefined ? content : toPage(call, pages, query, content, response)
    const requestId = response.headers.get('x-request-id') ?? undefined
    return { data, response, requestId, rateLimit: readRateLimit(response.headers) }
  }

  return (...values: unknown[]) => {
    const input = readArguments(operation, pathNames, values)
    if (pages === undefined) {
      return withResponse(send(input, input.query))
    }

    const getPage = (query: Query) => send(input, query) as Promise<DataWithResponse<QueryPage>>
    return createList(getPage, input, { operationId, style: pages.style }, config.ErrorClass)
  }
}

/** Reads the arguments of a method: path parameters, body, query, options. */
function readArguments(
  operation: Operation,
  pathNames: readonly string[],
  values: readonly unknown[],
): CallInput {
  const rest = [...values]
  const path = Object.fromEntries(pathNames.map((name) => [name, rest.shift()]))
  const body = operation.body ? rest.shift() : undefined
  const query = operation.query ? rest.shift() : undefined
  const options = rest.shift()

  // The methods have these types; `checkOptions` checks the options of a call in JavaScript.
  return { path, body, query: (query ?? {}) as Query, options: (options ?? {}) as ListOptions }
}

/**
 * Writes the parameters of a path; throws a `TypeError` if one is empty, or a dot segment, which would change the
 * path.
 */
function writePath(
  operationId: string,
  { styles }: Operation,
  names: readonly string[],
  path: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, string> {
  const texts = names.map(
    (name) => [name, writeParameter('path', name, path[name], styles)] as const,
  )
  for (const [name, text = ''] of texts) {
    if (text === '' || text === '.' || text === '..') {
      throw new TypeError(`${operationId} needs ${name}, which must not be empty, '.' or '..'.`)
    }
  }
  return new Map(texts.map(([name, text = '']) => [name, text]))
}

/** Replaces the parameters in a URL with a path template. */
function fillPath(url: string, texts: ReadonlyMap<string, string>): string {
  return url.replaceAll(/\{([^{}]+)\}/g, (template, name: string) => texts.get(name) ?? template)
}

function writeQuery({ styles }: Operation, values: Query): string {
  const texts = Object.entries(values).map(([name, value]) => {
    return writeParameter('query', name, value, styles)
  })
  return texts.filter((text) => text !== undefined).join('&')
}

function createHeaders({ idempotent, body, styles }: Operation, options: ListOptions): Headers {
  const headers = readHeaders(options.headers, (name, value) => {
    return writeParameter('header', name, value, styles)
  })
  const cookies = Object.entries(options.cookies ?? {}).map(([name, value]) => {
    return writeParameter('cookie', name, value, styles)
  })
  const pairs = cookies.filter((pair) => pair !== undefined)
  if (pairs.length > 0) {
    headers.set('Cookie', pairs.join('; '))
  }

  // Created once, so that all attempts have the same.
  if (idempotent && !headers.get(idempotencyKey)) {
    headers.set(idempotencyKey, createKey())
  }
  if (typeof body === 'string' && !headers.has('Content-Type')) {
    headers.set('Content-Type', body)
  }
  return headers
}

// Not `randomUUID`, which pages without TLS lack.
function createKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}

function readContent(
  call: Call,
  { data, error, response }: FetchResult,
  { empty, redirects }: Operation,
): unknown {
  const { status, ok } = response
  if (isOneOf(status, redirects)) {
    // openapi-fetch takes it for an error, and parses it if it is JSON.
    return error === '' ? undefined : error
  }
  if (!ok) {
    throw responseError(call, response, error)
  }
  if (status === 204 || isOneOf(status, empty)) {
    return undefined
  }

  try {
    return JSON.parse(String(data))
  } catch {
    throw responseError(call, response, undefined, ', not JSON')
  }
}

/** Returns whether a list has a status, its range or `default`. */
function isOneOf(status: number, list: readonly (number | string)[] = []): boolean {
  const range = `${Math.floor(status / 100)}XX`
  return [status, range, 'default'].some((name) => list.includes(name))
}
