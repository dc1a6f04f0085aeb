import type { Duplex } from 'node:stream'
import { type ApiError, toErrorResponse } from './contract/errors.ts'
import { type FramingStatus, longestTarget } from './contract/framing.ts'
import { json, securityHeaders } from './contract/headers.ts'
import { toRequestId } from './contract/request-context.ts'
import { STATUS_CODES } from './node-http.ts'

/** An error of the HTTP parser of Node.js, with what it was parsing. */
export interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Uint8Array
  readonly bytesParsed?: number
}

/** Milliseconds that a client has to close the connection after a rejection. */
const lingering = 2_000

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

/** Returns the status code for a request that the parser has rejected. */
export function statusOfParserError({
  code = '',
  rawPacket,
  bytesParsed = 0,
}: ParserError): FramingStatus {
  const packet = Buffer.from(rawPacket ?? []).toString('latin1')
  // Pipelined requests may share a packet: the malformed one begins where the one before ended.
  const before = packet.lastIndexOf('\r\n\r\n', bytesParsed - 4)
  const head = before === -1 ? packet : packet.slice(before + 4)
  if (code === 'HPE_HEADER_OVERFLOW') return longTarget.test(head) ? 414 : 431
  if (code === 'HPE_INVALID_METHOD') return requestLine.test(head) ? 501 : 400
  if (code === 'HPE_INVALID_VERSION') return badVersion.test(head) ? 505 : 400
  if (code === 'HPE_INVALID_TRANSFER_ENCODING' && contentLength.test(packet)) return 400
  return statusByError[code] ?? 400
}

/**
 * Writes an error response to a connection and closes it; returns the ID in the response, or
 * undefined if the client is gone. There may be no request object for the usual way to respond.
 */
export function writeRejection(
  socket: Duplex,
  error: ApiError,
  requestId = toRequestId(undefined),
): string | undefined {
  const isWritable = socket.writable
  if (isWritable) {
    const content = JSON.stringify(toErrorResponse(error).body)
    const headers = {
      ...securityHeaders,
      'X-Request-Id': requestId,
      Date: new Date().toUTCString(),
      Connection: 'close',
      'Content-Type': json,
      'Content-Length': Buffer.byteLength(content),
    }
    const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const statusLine = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`
    socket.write(`${statusLine}\r\n${fields.join('')}\r\n${content}`)
  }
  endConnection(socket)
  return isWritable ? requestId : undefined
}

/** Closes a connection so that the client can still read what was written. */
export function endConnection(socket: Duplex): void {
  if (!socket.writable) return void socket.destroy()
  // What the client sends meanwhile is read and dropped: a reset could overtake the response.
  socket.resume().end()
  setTimeout(() => socket.destroy(), lingering).unref()
}
