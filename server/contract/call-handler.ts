import type { RequestHandler } from 'express'
import type { AnyHandler, AnyResponse } from './handler.ts'
import type { Operation } from './operation.ts'
import type { RequestValues } from './parameters.ts'
import type { Send } from './send.ts'

/** Responds for operations without a handler. */
export interface Mock {
  readonly respond: (operation: Operation, request: MockRequest) => AnyResponse
  /** Request headers that it reads although no operation declares them. */
  readonly readsHeaders: readonly string[]
  /** Response headers that it sends although no response declares them. */
  readonly ownHeaders: readonly string[]
}

/** What a mock knows of a request that is authenticated and valid. */
export interface MockRequest {
  /** Its `Prefer` headers (RFC 7240), as they were sent. */
  readonly prefer: readonly string[]
  /** The names of its query parameters. */
  readonly queryNames: readonly string[]
}

type CallableHandler = (
  input: RequestValues,
  context: unknown,
) => AnyResponse | Promise<AnyResponse>

/**
 * Returns the middleware that calls the handler of an operation with the validated values, or the mock
 * if there is no handler, and sends the response.
 */
export function callHandler(
  handlers: Readonly<Record<string, AnyHandler>>,
  send: Send,
  mock?: Mock,
): RequestHandler {
  // An operation may be called `constructor`.
  const byId = new Map(Object.entries(handlers))
  return async function callHandlerOf(request, response) {
    const { operation, values, callerId, path } = response.locals
    if (operation === undefined || values === undefined) throw new Error('Nothing was validated.')
    const handler = byId.get(operation.operationId) as CallableHandler | undefined
    if (handler !== undefined) {
      const hrefWith = (query: Readonly<Record<string, unknown>>) => toHref(path, query)
      return send(response, await handler(values, { callerId, hrefWith }))
    }
    if (mock === undefined) throw new Error(`${operation.operationId} has no handler.`)
    const prefer = request.headersDistinct['prefer'] ?? []
    send(response, mock.respond(operation, { prefer, queryNames: Object.keys(values.query) }))
  }
}

function toHref(path: string, query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}
