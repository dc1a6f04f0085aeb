import type { IncomingMessage } from 'node:http'
import type { RequestHandler } from 'express'
import { ApiError, type ErrorStatus } from '../errors.ts'
import { fieldValues } from '../headers.ts'
import { isHost } from './host.ts'

/** The longest request target that is read, in characters (RFC 9110, section 4.1 asks for 8,000). */
export const longestTarget = 8_000

/** The statuses of requests that cannot be read as HTTP. */
export type FramingStatus = Extract<ErrorStatus, { readonly code: 'bad_request_framing' }>['status']

const reasons: Readonly<Record<FramingStatus, string>> = {
  400: 'The request is not valid HTTP/1.1.',
  408: 'The request did not arrive in time.',
  414: `The request target is longer than ${longestTarget} characters.`,
  417: 'The only expectation that can be met is 100-continue.',
  431: 'The header section of the request is too large.',
  501: 'The request method or transfer coding is not known.',
  505: 'The HTTP version is not supported.',
}

/** All of those statuses, as the names of what is counted by status. */
export const framingStatuses: readonly string[] = Object.keys(reasons)

/** A reason to refuse a request before anything of it is interpreted. */
export interface FramingFault {
  readonly status: FramingStatus
  readonly message: string
}

/** Rejects what the parser of node:http accepts although it is no valid HTTP request. */
export const rejectMisframed: RequestHandler = function rejectMisframed(request, response, next) {
  const fault = framingFault(request)
  if (fault === undefined) return next()
  const { locals } = response
  locals.isApiRequest = false
  locals.operation = undefined
  response.setHeader('Connection', 'close')
  throw new ApiError({ status: fault.status, code: 'bad_request_framing' }, fault.message)
}

/** What is wrong with the framing of a request that the parser let pass; undefined when nothing is. */
function framingFault(request: IncomingMessage): FramingFault | undefined {
  const { httpVersion, headers, url = '' } = request
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return toFault(505)
  const hosts = fieldValues(request, 'host')
  if (hosts.length > 1 || (hosts.length === 0 && httpVersion === '1.1')) {
    return { status: 400, message: 'The request must have exactly one Host header.' }
  }
  if (!hosts.every(isHost)) {
    return { status: 400, message: 'The Host header must be a host, with or without a port.' }
  }
  if (url.length > longestTarget) return toFault(414)
  const coding = headers['transfer-encoding']
  // RFC 9112, section 6.1: whoever stands between may not know of it, and see other requests.
  if (coding !== undefined && httpVersion === '1.0') return toFault(400)
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return toFault(501)
  const { expect } = headers
  return expect === undefined || expect.toLowerCase() === '100-continue' ? undefined : toFault(417)
}

/** The fault of a status, in the words that are usual for it. */
export function toFault(status: FramingStatus): FramingFault {
  return { status, message: reasons[status] }
}
