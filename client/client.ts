import createFetchClient, { type Client as FetchClient } from 'openapi-fetch'
import { calls, type Page } from '../generated/calls.ts'
import type { paths } from '../generated/openapi.d.ts'
import { responseError } from './errors.ts'
import { readRateLimit } from './hooks.ts'
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
import { createList, type Query, toPage, withResponse } from './pagination.ts'
import { type Call, createCall, runCall, sendRequest } from './request.ts'
import { idempotencyKey } from './retry.ts'
import type { Client, DataWithResponse } from './types.ts'

/** How an operation is called: a row of `generated/calls.ts`. */
interface Row {
  readonly method: string
  readonly path: string
  readonly query?: boolean
  /** Whether there is a body, or its media type where that is not `application/json`. */
  readonly body?: boolean | string
  /** Whether an `Idempotency-Key` makes it safe to repeat. */
  readonly idempotent?: boolean
  /** The query parameter that leads from page to page. */
  readonly cursor?: string
  /** Statuses of success, other than 204, whose responses have no content. */
  readonly empty?: readonly number[]
}

/** Creates a client of the API; throws a `TypeError` when an option is unknown or invalid. */
export function createClient(options: ClientOptions): Client {
  const config = readClientOptions(options)
  const raw = createFetchClient<paths>({
    baseUrl: config.baseUrl,
    // A redirect may turn a POST into a GET, whose response would pass for that of a create.
    redirect: 'manual',
    fetch(request) {
      const label = `${request.method} ${new URL(request.url).pathname}`
      const call = createCall(config, { signal: request.signal }, label)
      return runCall(call, (signal) => sendRequest(call, request, signal))
    },
  })
  const rows: readonly (readonly [string, Row])[] = Object.entries(calls)
  const methods = rows.map(([operationId, row]) => {
    return [operationId, createMethod(config, raw, operationId, row)] as const
  })
  // The methods are those of the table that their type was generated with.
  return { ...Object.fromEntries(methods), raw } as Client
}

/** A result of openapi-fetch with `parseAs: 'text'`; it parses errors that are JSON. */
type FetchResult = {
  readonly data?: unknown
  readonly error?: unknown
  readonly response: Response
}
// The row decides at run time what the types of openapi-fetch decide at compile time.
type Send = (method: string, path: string, init: object) => Promise<FetchResult>

function createMethod(
  config: Config,
  raw: FetchClient<paths>,
  operationId: string,
  { method, path, query: hasQuery, body: bodyType, idempotent, cursor, empty }: Row,
) {
  const label = `${method.toUpperCase()} ${path}`
  const names = Array.from(path.matchAll(/\{([^{}]+)\}/g), ([, name = '']) => name)
  return (...values: unknown[]) => {
    const inPath = Object.fromEntries(names.map((name) => [name, values.shift()]))
    const body = bodyType && values.shift()
    const query: Query = Object(hasQuery && values.shift())
    const options: ListOptions = values[0] ?? {}

    async function send(query: Query): Promise<DataWithResponse<unknown>> {
      checkOptions(operationId, options, cursor ? listRules : callRules)
      // Dot segments would change the path.
      const wrong = names.find((name) => /^\.{0,2}$/.test(`${inPath[name] ?? ''}`))
      if (wrong) {
        throw new TypeError(`${operationId} needs ${wrong}, which must not be empty, '.' or '..'.`)
      }
      const headers = readHeaders(options.headers)
      // Created once, so that all attempts have the same.
      if (idempotent && !headers.get(idempotencyKey)) headers.set(idempotencyKey, createKey())
      if (typeof bodyType === 'string' && !headers.has('Content-Type')) {
        headers.set('Content-Type', bodyType)
      }
      const call = createCall(config, options, label, operationId)
      const result = await runCall(call, (signal) =>
        (raw.request as Send)(method, path, {
          params: { path: inPath, query },
          headers,
          body,
          parseAs: 'text',
          fetch: (request: Request) => sendRequest(call, request, signal),
        }),
      )
      const { response } = result
      const content = readContent(call, result, empty)
      const data = cursor ? toPage(call, cursor, query, content, response) : content
      const requestId = response.headers.get('x-request-id') ?? undefined
      return { data, response, requestId, rateLimit: readRateLimit(response.headers) }
    }
    if (cursor === undefined) return withResponse(send(query))
    const getPage = send as (query: Query) => Promise<DataWithResponse<Page<unknown, Query>>>
    return createList(getPage, query, options, operationId)
  }
}

function readContent(
  call: Call,
  { data, error, response }: FetchResult,
  empty: readonly number[] = [],
): unknown {
  if (!response.ok) throw responseError(call, response, error)
  if (response.status === 204 || empty.includes(response.status)) return undefined
  try {
    return JSON.parse(String(data))
  } catch {
    throw responseError(call, response, undefined, ', not JSON')
  }
}

// Not `randomUUID`, which pages without TLS lack.
function createKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}
