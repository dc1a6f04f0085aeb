import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import type { RequestHandler } from 'express'
import type { Description } from './description.ts'
import { ApiError, type ErrorStatus } from './errors.ts'
import { headerSchema, type ResponseHeaders, securityHeaders } from './headers.ts'
import type { Operation } from './operation.ts'
import type { RequestValues } from './parameters.ts'

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
  /** Whether it is a health check. */
  isProbe: boolean
  /** The methods that the path supports. */
  allow: string
  /** The operation that the method and the path name. */
  operation?: Operation
  /** Header fields of every response to this request. */
  headers: ResponseHeaders
  /** The ID of the client's API key. */
  callerId?: string
  /** The values of the request, once they are validated. */
  values?: RequestValues
  /** Where the response violates the description. */
  violations: readonly string[]
  /** The `code` of the Error object that was sent. */
  errorCode?: string | undefined
  /** What has rejected the request: load shedding, the limit of its address or key, a ban of the key. */
  rejectedBy?: 'overload' | 'address' | 'limited' | 'ban-started' | 'banned'
  /** The ID of the trace that the request belongs to, if it is traced. */
  traceId?: string
}

declare global {
  namespace Express {
    interface Locals extends RequestContext {}
  }
}

/**
 * Begins the context of each request; `basePath` is the path under which the description applies,
 * `probePaths` are those of health checks.
 */
export function requestContext(
  description: Description,
  basePath: string,
  probePaths: ReadonlySet<string>,
): RequestHandler {
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
    const [path = '', ...query] = request.url.split('?')
    const requestId = toRequestId(request.headers['x-request-id'], isAllowed)
    const context: RequestContext = {
      requestId,
      path,
      rawQuery: query.join('?'),
      isApiRequest: path === basePath || path.startsWith(`${basePath}/`),
      isProbe: probePaths.has(path),
      // Those of a page, and of a path that does not exist.
      allow: 'GET, HEAD, OPTIONS',
      headers: { ...fixed, 'X-Request-Id': requestId },
      violations: [],
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

/** Decodes percent-encoded UTF-8; returns undefined if it is malformed. */
export function decode(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The longest request target that is read, in characters (RFC 9110, section 4.1 asks for 8,000). */
export const maxTargetLength = 8_000

/** The status codes of requests that cannot be read as HTTP. */
export type FramingStatus = Extract<ErrorStatus, { readonly code: 'bad_request_framing' }>['status']

const messages: Readonly<Record<FramingStatus, string>> = {
  400: 'The request is not valid HTTP/1.1.',
  408: 'The request did not arrive in time.',
  414: `The request target is longer than ${maxTargetLength} characters.`,
  417: 'The only expectation that can be met is 100-continue.',
  431: 'The header section of the request is too large.',
  501: 'The request method or transfer coding is not known.',
  505: 'The HTTP version is not supported.',
}

/** Those status codes as labels of a metric. */
export const framingStatuses: readonly string[] = Object.keys(messages)

/** Returns the error for a malformed request. */
export function framingError(status: FramingStatus, message = messages[status]): ApiError {
  return new ApiError({ status, code: 'bad_request_framing' }, message)
}

/** Rejects requests that the parser of node:http accepts although they are malformed. */
export const rejectMisframed: RequestHandler = function rejectMisframed(request, response, next) {
  const error = findFramingError(request)
  if (error === undefined) return next()
  response.locals.isApiRequest = false
  response.setHeader('Connection', 'close')
  throw error
}

function findFramingError(request: IncomingMessage): ApiError | undefined {
  const { httpVersion, headers, url = '' } = request
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return framingError(505)
  const { host: hosts = [] } = request.headersDistinct
  if (hosts.length > 1 || (hosts.length === 0 && httpVersion === '1.1')) {
    return framingError(400, 'The request must have exactly one Host header.')
  }
  if (!hosts.every(isHost)) {
    return framingError(400, 'The Host header must be a host, with or without a port.')
  }
  if (url.length > maxTargetLength) return framingError(414)
  const coding = headers['transfer-encoding']
  // RFC 9112, section 6.1: an HTTP/1.0 proxy may not know of it, and see other requests.
  if (coding !== undefined && httpVersion === '1.0') return framingError(400)
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return framingError(501)
  const { expect } = headers
  if (expect === undefined || expect.toLowerCase() === '100-continue') return undefined
  return framingError(417)
}

/**
 * Returns a request target without the authority of its absolute form, or the asterisk of `OPTIONS`
 * (RFC 9112, section 3.2); undefined where it has none of these forms. Nothing in it is decoded.
 */
export function toOriginForm(target: string, method: string | undefined): string | undefined {
  if (target.includes('#')) return undefined
  if (target.startsWith('/')) return target
  if (target === '*') return method === 'OPTIONS' ? target : undefined
  const [start = '', authority = ''] = /^https?:\/\/([^/?]*)/i.exec(target) ?? []
  if (!isHost(authority)) return undefined
  const rest = target.slice(start.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

const validHost =
  /^(?:(?:[\w.~!$&'()*+,;=-]|%[\dA-F]{2})+|\[(?:([\dA-F:.]+)|v[\dA-F]+\.[\w.~!$&'()*+,;=:-]+)\])(?::\d*)?$/i

/**
 * Returns whether a Host field is `uri-host [":" port]` (RFC 9112, section 3.2). It must not be
 * empty: a URI of the schemes `http` and `https` always has a host (RFC 9110, section 4.2.1).
 */
function isHost(value: string): boolean {
  const [found, address] = validHost.exec(value) ?? []
  return found !== undefined && (address === undefined || isIPv6(address))
}
