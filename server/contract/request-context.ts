import { randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'
import type { Description } from './description.ts'
import { splitTarget } from './framing.ts'
import { headerSchema, type ResponseHeaders, securityHeaders } from './headers.ts'
import type { Operation } from './operation.ts'
import { decode, type RequestValues } from './parameters.ts'

/** What is known of one request while it is processed: `response.locals`. */
export interface RequestContext {
  /** Identifies the request in the log, in traces and in the `X-Request-Id` header. */
  requestId: string
  /** The path as it was sent, still percent-encoded. */
  path: string
  /** The query as it was sent, without the question mark. */
  rawQuery: string
  /** Whether the description applies to the response. */
  isApiRequest: boolean
  /** The operation that the method and the path name. */
  operation: Operation | undefined
  /** Header fields of every response to this request. */
  headers: ResponseHeaders
  /** The ID of the client's API key. */
  callerId: string | undefined
  /** The values of the request, once they are validated. */
  values: RequestValues | undefined
  /** Where the response violates the description. */
  violations: readonly string[]
  /** The `code` of the Error object that was sent. */
  errorCode: string | undefined
  /** Whether load shedding has rejected the request. */
  isShed?: boolean
  /** The ID of the trace that the request belongs to, if it is traced. */
  traceId?: string
}

declare global {
  namespace Express {
    interface Locals extends RequestContext {}
  }
}

/** Begins the context of each request; `basePath` is the path under which the description applies. */
export function requestContext(description: Description, basePath: string): RequestHandler {
  // The description may give other values, and allow fewer request IDs.
  const fixed: ResponseHeaders = { ...securityHeaders }
  for (const name in fixed) {
    const { const: value } = headerSchema(description, name)
    if (typeof value === 'string') fixed[name] = value
  }
  const { pattern = '', maxLength = 64 } = headerSchema(description, 'X-Request-Id')
  const allowed = new RegExp(String(pattern), 'u')
  const isAllowed = (id: string) => id.length <= Number(maxLength) && allowed.test(id)
  return function beginContext(request, response, next) {
    const { path, rawQuery } = splitTarget(request.url)
    const requestId = toRequestId(request.headers['x-request-id'], isAllowed)
    const context: RequestContext = {
      requestId,
      path,
      rawQuery,
      isApiRequest: path === basePath || path.startsWith(`${basePath}/`),
      operation: undefined,
      headers: { ...fixed, 'X-Request-Id': requestId },
      callerId: undefined,
      values: undefined,
      violations: [],
      errorCode: undefined,
    }
    response.locals = context
    // The router throws for a path that it cannot decode, before anything else is checked. With the
    // percent signs encoded, it is rejected with the other parameters.
    if (decode(path) === undefined) {
      request.url = request.url.replaceAll('%', '%25')
      request.originalUrl = request.url
    }
    next()
  }
}

const usualRequestId = /^[A-Za-z0-9-]{8,64}$/

/** Returns the ID of a request: the client's own if it has the form that is allowed, else a new one. */
export function toRequestId(
  sent: string | string[] | undefined,
  isAllowed: (id: string) => boolean = () => true,
): string {
  const isKept = typeof sent === 'string' && usualRequestId.test(sent) && isAllowed(sent)
  return isKept ? sent : randomUUID()
}
