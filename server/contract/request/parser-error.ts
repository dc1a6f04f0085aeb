import { type FramingStatus, longestTarget } from './framing.ts'

/** What the parser of node:http says of bytes that it refuses. */
export interface ParserError extends NodeJS.ErrnoException {
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

/** The status that answers what the parser refuses. */
export function statusOf({ code = '', rawPacket, bytesParsed = 0 }: ParserError): FramingStatus {
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
