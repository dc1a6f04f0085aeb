import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { STATUS_CODES } from '../../node-http.ts'
import { failure } from '../answer/error-reply.ts'
import type { Refused } from '../answer/refusal.ts'
import { json } from '../answer/reply.ts'
import { securityHeaders } from '../answer/service-headers.ts'
import { isHost } from './host.ts'
import { toRequestId } from './request-id.ts'

/** The longest request target that is read, in characters (RFC 9110, section 4.1 asks for 8,000). */
const longestTarget = 8_000

/** Milliseconds that a refused caller has to close the connection. */
const lingering = 2_000

type FramingStatus = Extract<Refused, { readonly code: 'bad_request_framing' }>['status']

const reasons: Readonly<Record<FramingStatus, string>> = {
  400: 'The request is not valid HTTP/1.1.',
  408: 'The request did not arrive in time.',
  414: `The request target is longer than ${longestTarget} characters.`,
  417: 'The only expectation that can be met is 100-continue.',
  431: 'The header section of the request is too large.',
  501: 'The request method or transfer coding is not known.',
  505: 'The HTTP version is not supported.',
}

/** A reason to refuse a request before anything of it is interpreted. */
export interface FramingFault {
  readonly status: FramingStatus
  readonly message: string
}

/** What is wrong with the framing of a request that the parser let pass; undefined when nothing is. */
export function framingFault(request: IncomingMessage): FramingFault | undefined {
  const { httpVersion, headers, headersDistinct, url = '' } = request
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return toFault(505)
  const hosts = headersDistinct['host'] ?? []
  if (hosts.length > 1 || (hosts.length === 0 && httpVersion === '1.1')) {
    return { status: 400, message: 'The request must have exactly one Host header.' }
  }
  if (!hosts.every(isHost)) {
    return { status: 400, message: 'The Host header must be a host, with or without a port.' }
  }
  if (url.length > longestTarget) return toFault(414)
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return toFault(501)
  const { expect } = headers
  return expect === undefined || expect.toLowerCase() === '100-continue' ? undefined : toFault(417)
}

/** Answers what the parser refuses with an Error object, and closes the connection. */
export function answerFramingFaults(server: Server): void {
  const pending = new WeakMap<Duplex, ServerResponse>()
  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) {
    server.on(event, (request, response) => pending.set(request.socket, response))
  }
  const answerInTurn = (socket: Duplex, status: FramingStatus): void => {
    const answer = () => refuse(socket, toFault(status))
    const earlier = pending.get(socket)
    const isRunning = earlier !== undefined && !earlier.writableFinished
    // The fault is in a pipelined request: the answer to the one before goes first.
    if (isRunning && earlier.req.complete) earlier.once('finish', answer)
    else if (isRunning && earlier.headersSent) socket.destroy()
    else answer()
  }
  server.on('clientError', (error: ParserError, socket) => answerInTurn(socket, statusOf(error)))
  server.on('connect', (_request, socket) => {
    // The server lets go of this connection, its errors included.
    socket.on('error', () => socket.destroy())
    answerInTurn(socket, 501)
  })
}

interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Uint8Array
  readonly bytesParsed?: number
}

const statusByError: Readonly<Record<string, FramingStatus>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_INVALID_TRANSFER_ENCODING: 501,
  HPE_INVALID_VERSION: 505,
  HPE_PAUSED_H2_UPGRADE: 505,
}

const requestLine = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ \S+ HTTP\/1\.[01]\r\n/
const longTarget = new RegExp(`^[A-Z-]+ \\S{${longestTarget + 1}}`)
const contentLength = /\r\ncontent-length:/i
const badVersion = /^\S+ \S+ HTTP\/(?!1\.[01]\r\n)\d+\.\d+\r\n/

function statusOf({ code = '', rawPacket, bytesParsed = 0 }: ParserError): FramingStatus {
  const packet = Buffer.from(rawPacket ?? []).toString('latin1')
  // Pipelined requests may share a packet: the faulty one begins where the one before ended.
  const before = packet.lastIndexOf('\r\n\r\n', bytesParsed - 4)
  const head = before === -1 ? packet : packet.slice(before + 4)
  if (code === 'HPE_HEADER_OVERFLOW') return longTarget.test(head) ? 414 : 431
  if (code === 'HPE_INVALID_METHOD') return requestLine.test(head) ? 501 : 400
  if (code === 'HPE_INVALID_VERSION') return badVersion.test(head) ? 505 : 400
  if (code === 'HPE_INVALID_TRANSFER_ENCODING' && contentLength.test(packet)) return 400
  return statusByError[code] ?? 400
}

function refuse(socket: Duplex, fault: FramingFault): void {
  if (!socket.writable) return void socket.destroy()
  // What was sent meanwhile is read and dropped: a reset could overtake the answer.
  socket.resume().end(toMessage(fault))
  setTimeout(() => socket.destroy(), lingering).unref()
}

function toFault(status: FramingStatus): FramingFault {
  return { status, message: reasons[status] }
}

// Nobody else is left to write this one: there is no request object, and maybe no request.
function toMessage({ status, message }: FramingFault): string {
  const content = JSON.stringify(failure(status, 'bad_request_framing', message).body)
  const headers = {
    ...securityHeaders,
    'X-Request-Id': toRequestId(undefined),
    Date: new Date().toUTCString(),
    Connection: 'close',
    'Content-Type': json,
    'Content-Length': Buffer.byteLength(content),
  }
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${fields.join('')}\r\n${content}`
}
