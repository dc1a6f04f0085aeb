import type { IncomingMessage } from 'node:http'
import type { RequestHandler } from 'express'
import { ApiError, type ErrorStatus } from '../errors.ts'
import { fieldValues } from './field-values.ts'
import { isHost } from './target.ts'

/** The longest request target that is read, in characters (RFC 9110, section 4.1 asks for 8,000). */
export const longestTarget = 8_000

/** The status codes of requests that cannot be read as HTTP. */
export type FramingStatus = Extract<ErrorStatus, { readonly code: 'bad_request_framing' }>['status']

const messages: Readonly<Record<FramingStatus, string>> = {
  400: 'The request is not valid HTTP/1.1.',
  408: 'The request did not arrive in time.',
  414: `The request target is longer than ${longestTarget} characters.`,
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
  const { locals } = response
  locals.isUnderContract = false
  locals.operation = undefined
  response.setHeader('Connection', 'close')
  throw error
}

function findFramingError(request: IncomingMessage): ApiError | undefined {
  const { httpVersion, headers, url = '' } = request
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return framingError(505)
  const hosts = fieldValues(request, 'host')
  if (hosts.length > 1 || (hosts.length === 0 && httpVersion === '1.1')) {
    return framingError(400, 'The request must have exactly one Host header.')
  }
  if (!hosts.every(isHost)) {
    return framingError(400, 'The Host header must be a host, with or without a port.')
  }
  if (url.length > longestTarget) return framingError(414)
  const coding = headers['transfer-encoding']
  // RFC 9112, section 6.1: an HTTP/1.0 proxy may not know of it, and see other requests.
  if (coding !== undefined && httpVersion === '1.0') return framingError(400)
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return framingError(501)
  const { expect } = headers
  if (expect === undefined || expect.toLowerCase() === '100-continue') return undefined
  return framingError(417)
}
