import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import type { RequestHandler } from 'express'
import { ApiError, type ErrorStatus } from '../contract/errors.ts'

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

/** What is wrong with a `Host` header that Node.js accepts. */
const hostMessages = {
  count: 'The request must have exactly one Host header.',
  form: 'The Host header must be a host, with or without a port.',
}

/** Returns every error for a malformed request. */
export function allFramingErrors(): readonly ApiError[] {
  const statuses = Object.keys(messages).map(Number) as FramingStatus[]
  const ofHost = Object.values(hostMessages).map((message) => framingError(400, message))
  return [...statuses.map((status) => framingError(status)), ...ofHost]
}

/** Returns the error for a malformed request. */
export function framingError(status: FramingStatus, message = messages[status]): ApiError {
  return new ApiError({ status, code: 'bad_request_framing' }, message)
}

/** Rejects requests that the parser of node:http accepts although they are malformed. */
export const rejectMisframed: RequestHandler = function rejectMisframed(request, response, next) {
  const error = findFramingError(request, request.originalUrl)
  if (error === undefined) {
    return next()
  }
  response.locals.isApiRequest = false
  response.setHeader('Connection', 'close')
  throw error
}

function findFramingError(request: IncomingMessage, target: string): ApiError | undefined {
  const { httpVersion, headers } = request
  if (target.length > maxTargetLength) {
    return framingError(414)
  }
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return framingError(505)
  }
  const { host: hosts = [] } = request.headersDistinct
  if (hosts.length > 1 || (hosts.length === 0 && httpVersion === '1.1')) {
    return framingError(400, hostMessages.count)
  }
  if (!hosts.every(isHost)) {
    return framingError(400, hostMessages.form)
  }
  const coding = headers['transfer-encoding']
  // RFC 9112, section 6.1: an HTTP/1.0 proxy may not know of it, and see other requests.
  if (coding !== undefined && httpVersion === '1.0') {
    return framingError(400)
  }
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return framingError(501)
  }
  const { expect } = headers
  if (expect === undefined || expect.toLowerCase() === '100-continue') {
    return undefined
  }
  return framingError(417)
}

/**
 * Returns a request target without the authority of its absolute form, or the asterisk of `OPTIONS`
 * (RFC 9112, section 3.2); undefined where it has none of these forms. Nothing in it is decoded.
 */
export function toOriginForm(target: string, method: string | undefined): string | undefined {
  if (target.includes('#')) {
    return undefined
  }
  if (target.startsWith('/')) {
    return target
  }
  if (target === '*') {
    return method === 'OPTIONS' ? target : undefined
  }
  const [start = '', authority = ''] = /^https?:\/\/([^/?]*)/i.exec(target) ?? []
  if (!isHost(authority)) {
    return undefined
  }
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
  const [host, address] = validHost.exec(value) ?? []
  return host !== undefined && (address === undefined || isIPv6(address))
}
