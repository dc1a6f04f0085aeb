import type { RequestListener, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { STATUS_CODES } from '../../node-http.ts'
import { failure } from '../errors.ts'
import { json, securityHeaders } from '../headers.ts'
import { type RequestContext, toRequestId } from '../request-context.ts'
import { type FramingFault, type FramingStatus, longestTarget, toFault } from './framing.ts'
import { type ParserError, statusOf } from './parser-error.ts'
import { toOriginForm } from './target.ts'

/** An answer to bytes that are no request. */
export interface FramingRefusal {
  readonly status: FramingStatus
  /** The `X-Request-Id` of the answer. */
  readonly requestId: string
}

/** Is told of each. */
export type OnFramingRefusal = (refusal: FramingRefusal) => void

/** An answer to a request whose exchange may have begun. */
type Known = ServerResponse & { readonly locals?: Partial<RequestContext> }

/** Milliseconds that a refused caller has to close the connection. */
const lingering = 2_000

/**
 * Hands on what asks for a path, without the authority of an absolute form. Express reads targets
 * too, and answers with a page of its own where it finds no path.
 */
export function refuseOtherTargets(
  answer: RequestListener,
  onRefusal: OnFramingRefusal,
): RequestListener {
  return function read(request, response) {
    const { url = '', method, socket } = request
    const target = toOriginForm(url, method)
    if (target === undefined) {
      return refuse(socket, toFault(url.length > longestTarget ? 414 : 400), onRefusal)
    }
    if (url.length <= longestTarget) request.url = target
    answer(request, response)
  }
}

/**
 * Answers what the parser refuses with an Error object, after the last request of the connection has
 * its answer, and closes the connection.
 */
export function answerFramingFaults(
  server: Server,
  lastOf: (socket: Duplex) => ServerResponse | undefined,
  onRefusal: OnFramingRefusal,
): void {
  const faulty = new WeakSet<Duplex>()
  const answerInTurn = (socket: Duplex, status: FramingStatus, tell = onRefusal): void => {
    // The parser finds whatever comes after a fault faulty, too.
    if (faulty.has(socket)) return
    faulty.add(socket)
    const last: Known | undefined = lastOf(socket)
    const answer = (requestId?: string) => refuse(socket, toFault(status), tell, requestId)
    if (last === undefined) answer()
    else if (last.req.complete) once(last, 'finish', last.writableFinished, () => answer())
    // The fault is in the content of that request. It gets one answer, and gets it when those
    // before it have theirs: another one would pass for the answer to another request.
    else if (last.headersSent) once(last, 'finish', last.writableFinished, () => hangUp(socket))
    else {
      const answerThat = () => answer(last.locals?.requestId)
      once(last, 'socket', last.socket !== null, answerThat)
    }
  }
  server.on('clientError', (error: ParserError, socket) => {
    // The line of a request says already that its caller left before all of it had come.
    const isKnown = error.code === 'HPE_INVALID_EOF_STATE' && lastOf(socket)?.req.complete === false
    answerInTurn(socket, statusOf(error), isKnown ? () => undefined : onRefusal)
  })
  server.on('connect', (_request, socket) => {
    // The server lets go of this connection, its errors included.
    socket.on('error', () => socket.destroy())
    answerInTurn(socket, 501)
  })
}

function once(response: ServerResponse, event: string, isOver: boolean, act: () => void): void {
  if (isOver) act()
  else response.once(event, act)
}

function refuse(
  socket: Duplex,
  fault: FramingFault,
  onRefusal: OnFramingRefusal,
  requestId = toRequestId(undefined),
): void {
  if (socket.writable) {
    socket.write(toMessage(fault, requestId))
    onRefusal({ status: fault.status, requestId })
  }
  hangUp(socket)
}

function hangUp(socket: Duplex): void {
  if (!socket.writable) return void socket.destroy()
  // What was sent meanwhile is read and dropped: a reset could overtake the answer.
  socket.resume().end()
  setTimeout(() => socket.destroy(), lingering).unref()
}

// Nobody else is left to write this one: there is no request object, and maybe no request.
function toMessage({ status, message }: FramingFault, requestId: string): string {
  const content = JSON.stringify(failure(status, 'bad_request_framing', message).body)
  const headers = {
    ...securityHeaders,
    'X-Request-Id': requestId,
    Date: new Date().toUTCString(),
    Connection: 'close',
    'Content-Type': json,
    'Content-Length': Buffer.byteLength(content),
  }
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${fields.join('')}\r\n${content}`
}
