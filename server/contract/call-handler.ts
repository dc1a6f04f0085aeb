import type { RequestHandler } from 'express'
import type { AnyResponse } from './any-response.ts'
import type { RequestValues } from './message-schemas.ts'
import type { Mock } from './mock.ts'
import type { Send } from './send.ts'

/** A handler of any operation: the types of its input are checked where it is written. */
export type AnyHandler = (input: never, context: never) => AnyResponse | Promise<AnyResponse>

type CallableHandler = (
  input: RequestValues,
  context: unknown,
) => AnyResponse | Promise<AnyResponse>

/**
 * Returns the middleware that calls the handler of an operation with the validated values, or the mock
 * where there is no handler, and sends the reply.
 */
export function callHandler(
  handlers: Readonly<Record<string, AnyHandler>>,
  send: Send,
  mock?: Mock,
): RequestHandler {
  // An operation may be called `constructor`.
  const byId = new Map(Object.entries(handlers))
  return async function respond(request, response) {
    const { operation, values, callerId, path } = response.locals
    if (operation === undefined || values === undefined) throw new Error('Nothing was validated.')
    const handler = byId.get(operation.operationId) as CallableHandler | undefined
    if (handler !== undefined) {
      const hrefWith = (query: Readonly<Record<string, unknown>>) => toHref(path, query)
      return send(response, await handler(values, { callerId, hrefWith }))
    }
    if (mock === undefined) throw new Error(`${operation.operationId} has no handler.`)
    const prefer = request.headersDistinct['prefer'] ?? []
    send(response, mock.answer(operation, { prefer, queryNames: Object.keys(values.query) }))
  }
}

function toHref(path: string, query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}
