import createFetchClient, { type Client } from 'openapi-fetch'
import type { paths } from '../generated/openapi.d.ts'
import { operations } from '../generated/operations.ts'
import { type Row, toCall } from './call.ts'
import { AnimalStoreError } from './error.ts'
import { type FetchResult, readContent } from './fetch-result.ts'
import type { Methods } from './methods.ts'

export interface AnimalStoreOptions {
  /** Where the service is, its version segment included, such as `https://host.example/v1`. */
  readonly baseUrl: string
  readonly apiKey: string
  /** Sends the requests; the global `fetch` unless it is given. */
  readonly fetch?: (request: Request) => Promise<Response>
}

/** A client of the animal store: a method for each operation, and the client beneath them. */
export interface AnimalStore extends Methods {
  /** The openapi-fetch client that the methods call; it answers with `data` or `error`. */
  readonly raw: Client<paths>
}

/** Makes a client of the animal store. */
export function createAnimalStore({ baseUrl, apiKey, fetch }: AnimalStoreOptions): AnimalStore {
  const raw = createFetchClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${apiKey}` },
    ...(fetch === undefined ? {} : { fetch }),
  })
  const methods = Object.values(operations).map((row) => [row.operationId, toMethod(raw, row)])
  // The table that is walked here is the one that the type of the methods is computed from.
  return Object.assign(Object.fromEntries(methods) as Methods, { raw })
}

// The row decides at run time what the types of openapi-fetch decide at compile time.
type Send = (method: string, path: string, init: object) => Promise<FetchResult>

function toMethod(raw: Client<paths>, row: Row) {
  const send = raw.request as Send
  return async (...values: unknown[]): Promise<unknown> => {
    const { operationId, method, path } = row
    const { signal, ...call } = toCall(row, values)
    try {
      const result = await send(method, path, { ...call, signal, parseAs: 'text' })
      return readContent(operationId, result)
    } catch (cause) {
      if (cause instanceof AnimalStoreError || signal?.aborted) throw cause
      const message = `No answer to ${operationId} came.`
      throw new AnimalStoreError(
        message,
        { operationId, code: 'network_error', attempts: 1 },
        cause,
      )
    }
  }
}
