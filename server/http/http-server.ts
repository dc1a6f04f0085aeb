import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { toErrorResponse } from '../contract/errors.ts'
import { securityHeaders } from '../contract/headers.ts'
import { json } from '../description/media-types.ts'
import { createServer, listen, STATUS_CODES } from '../process/node-http.ts'
import { ThrottledLog } from '../process/throttled-log.ts'
import { networkOf } from '../security/rate-limits.ts'
import {
  type FramingStatus,
  framingError,
  framingStatuses,
  maxTargetLength,
  toOriginForm,
} from './framing.ts'
import { type RequestContext, toRequestId } from './request-context.ts'

/** Bytes of a header section, the request line included, and of the fields after a chunked body. */
const maxHeaderBytes = 16_384
const maxHeaderFields = 100

/** Requests that a connection may send ahead of their responses. */
const maxPipelined = 100

/** Milliseconds that a client has to close the connection after a rejection. */
const closingTimeout = 2_000

/** A response; Express gives it `locals` when its request begins. */
type ResponseInProgress = ServerResponse & { readonly locals?: Partial<RequestContext> }

interface Connection {
  /** Requests without a response. */
  pending: number
  /** The response, sent or not, to the last request that has arrived. */
  last?: ResponseInProgress | undefined
  isMalformed: boolean
}

/**
 * The HTTP server: bounds on connections and times, pipelined requests one after the other, Error
 * objects in response to malformed requests, and draining.
 */
export class HttpServer {
  /** Connections closed at once because of MAX_CONNECTIONS or MAX_CONNECTIONS_PER_ADDRESS. */
  readonly rejected = { all: 0, address: 0 }
  /** Malformed requests by status code. */
  readonly malformed = Object.fromEntries(framingStatuses.map((status) => [status, 0]))
  readonly #config: Config
  readonly #log: Logger
  readonly #server: Server
  readonly #connections = new Map<Duplex, Connection>()
  /** Open connections of each network. */
  readonly #networks = new Map<string, number>()
  readonly #rejectionLogs: Readonly<Record<'all' | 'address', ThrottledLog>>
  #app: RequestListener = () => undefined
  #running = 0
  /** When a request ended last that was no health check. */
  #lastEndedAt = Number.NEGATIVE_INFINITY

  constructor(config: Config, log: Logger) {
    this.#config = config
    this.#log = log
    this.#rejectionLogs = {
      all: new ThrottledLog(log, {
        startMessage: 'connections: rejecting beyond MAX_CONNECTIONS',
        endMessage: 'connections: within MAX_CONNECTIONS again',
        action: 'ask /livez on OPS_PORT; find who holds them',
      }),
      address: new ThrottledLog(log, {
        startMessage: 'connections: rejecting beyond MAX_CONNECTIONS_PER_ADDRESS',
        endMessage: 'connections: within MAX_CONNECTIONS_PER_ADDRESS again',
        action: 'if the address is a proxy, set TRUST_PROXY',
      }),
    }
    const { connections } = config
    const onRequest: RequestListener = (request, response) => this.#receive(request, response)
    const server = createServer(
      {
        // Rejected by the application, with an Error object.
        requireHostHeader: false,
        maxHeaderSize: maxHeaderBytes,
        // A request without content has a stream that has ended already.
        optimizeEmptyRequests: true,
        // How late a timeout may be.
        connectionsCheckingInterval: 1_000,
      },
      onRequest,
    )
    // As options they would be rejected where the first is longer than the second.
    server.headersTimeout = connections.headersSeconds * 1_000
    server.requestTimeout = connections.requestSeconds * 1_000
    server.keepAliveTimeout = connections.idleSeconds * 1_000
    // Without progress while a request is processed or its response is sent.
    server.timeout = connections.socketTimeoutSeconds * 1_000
    server.maxHeadersCount = maxHeaderFields
    server.maxConnections = connections.most
    server.on('checkContinue', onRequest).on('checkExpectation', onRequest)
    server.on('connection', (socket) => this.#accept(socket))
    server.on('drop', () => this.#rejectConnection('all'))
    server.on('clientError', (error: ParserError, socket) => {
      const hasLeft = error.code === 'HPE_INVALID_EOF_STATE'
      this.#rejectMalformed(socket, statusOfParserError(error), hasLeft)
    })
    server.on('connect', (_request, socket) => {
      // The server no longer handles errors of this connection.
      socket.on('error', () => socket.destroy())
      this.#rejectMalformed(socket, 501)
    })
    this.#server = server
  }

  /** Serves an application; resolves with the origin. */
  listen(app: RequestListener): Promise<string> {
    this.#app = app
    return listen(this.#server, this.#config.host, this.#config.port)
  }

  /** How many connections are open. */
  get open(): number {
    return this.#connections.size
  }

  /** How many requests have no response yet, health checks included. */
  get running(): number {
    return this.#running
  }

  /**
   * Stops the server. While requests are running, or follow each other within `quietPeriod` milliseconds,
   * it serves; then, or after the grace, it takes no new connections, closes the idle ones and ends
   * the others. Health checks get responses until the end and do not extend it.
   */
  async close(quietPeriod: number): Promise<void> {
    const deadline = performance.now() + this.#config.shutdownGraceSeconds * 1000
    // A test may set the clock back.
    const pause = () => Math.max(0, performance.now() - this.#lastEndedAt)
    const isBusy = () => this.#running > 0 || pause() < quietPeriod
    while (isBusy() && performance.now() < deadline) {
      await wait(20)
    }
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    // The last responses are still on their way; requests that run now have used up the grace.
    if (this.#running === 0) {
      await Promise.race([closed, wait(100)])
    }
    this.#server.closeAllConnections()
    await closed
    for (const rejectionLog of Object.values(this.#rejectionLogs)) {
      rejectionLog.stop()
    }
  }

  #accept(socket: Socket): void {
    const { connections, trustProxy } = this.#config
    const network = networkOf(socket.remoteAddress)
    const open = this.#networks.get(network) ?? 0
    // Behind a proxy every connection is the proxy's.
    if (trustProxy === 0 && open >= connections.perAddress) {
      socket.destroy()
      return void this.#rejectConnection('address')
    }
    this.#networks.set(network, open + 1)
    this.#connections.set(socket, { pending: 0, isMalformed: false })
    socket.once('close', () => {
      this.#connections.delete(socket)
      const left = (this.#networks.get(network) ?? 1) - 1
      if (left === 0) {
        this.#networks.delete(network)
      } else {
        this.#networks.set(network, left)
      }
    })
  }

  #rejectConnection(by: 'all' | 'address'): void {
    this.rejected[by]++
    this.#rejectionLogs[by].record()
  }

  /**
   * Processes the requests of a connection one after the other: node:http would begin all of them,
   * and keep their responses in memory until the client reads.
   */
  #receive(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const connection = this.#connections.get(socket)
    // The parser continues to the end of what it has read.
    if (connection === undefined || socket.destroyed) {
      return
    }
    if (connection.pending === maxPipelined) {
      return void socket.destroy()
    }
    const before = connection.last
    connection.last = response
    connection.pending++
    response.once('finish', () => {
      connection.pending--
      // If the rest of its content is malformed, there must not be a second response.
      if (connection.last === response && request.complete) {
        connection.last = undefined
      }
    })
    whenFinished(before, () => this.#begin(request, response))
  }

  #begin(request: IncomingMessage, response: ResponseInProgress): void {
    // The response before this one has closed the connection.
    if (response.socket?.writable !== true) {
      return
    }
    const { url = '', method, socket } = request
    const target = toOriginForm(url, method)
    if (target === undefined) {
      return void this.#writeRejection(socket, url.length > maxTargetLength ? 414 : 400)
    }
    // Express would respond with HTML to a target that it cannot parse.
    if (url.length <= maxTargetLength) {
      request.url = target
    }
    // No upgrade is accepted. node:http loses the bytes that it has read with one, and so the next request.
    if (request.headers.upgrade !== undefined) {
      response.setHeader('Connection', 'close')
    }
    this.#running++
    response.once('close', () => {
      this.#running--
      const { isProbe = false, errorCode } = response.locals ?? {}
      if (!isProbe) {
        this.#lastEndedAt = performance.now()
      }
      if (errorCode === 'bad_request_framing') {
        this.#countMalformed(response.statusCode)
      }
    })
    this.#app(request, response)
  }

  /** Rejects a malformed request after the responses to the requests before it. */
  #rejectMalformed(socket: Duplex, status: FramingStatus, hasLeft = false): void {
    const connection = this.#connections.get(socket)
    // Whatever follows a malformed request is malformed, too.
    if (connection === undefined || connection.isMalformed) {
      return
    }
    connection.isMalformed = true
    const { last } = connection
    const reject = (locals?: Partial<RequestContext>) =>
      this.#writeRejection(socket, status, hasLeft, locals)
    if (last === undefined || last.req.complete) {
      whenFinished(last, reject)
    }
    // The body of that request is malformed. It gets one response, in the order of requests.
    else if (last.headersSent) {
      whenFinished(last, () => endConnection(socket))
    } else if (last.socket !== null) {
      reject(last.locals)
    } else {
      last.once('socket', () => reject(last.locals))
    }
  }

  /**
   * Writes an error response to a connection and closes it. There may be no request object for the
   * usual way to respond.
   */
  #writeRejection(
    socket: Duplex,
    status: FramingStatus,
    hasLeft = false,
    locals: Partial<RequestContext> = {},
  ): void {
    const { requestId = toRequestId(undefined) } = locals
    if (socket.writable) {
      const error = framingError(status)
      const content = JSON.stringify(toErrorResponse(error).body)
      const headers = {
        ...securityHeaders,
        'X-Request-Id': requestId,
        Date: new Date().toUTCString(),
        Connection: 'close',
        'Content-Type': json,
        'Content-Length': Buffer.byteLength(content),
      }
      const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
      const statusLine = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`
      socket.write([statusLine, ...fields, '', content].join('\r\n'))
      if (!hasLeft) {
        locals.statusOnSocket = status
        this.#countMalformed(status)
        this.#log.info({ status, requestId, code: error.code }, 'malformed request')
      }
    }
    endConnection(socket)
  }

  #countMalformed(status: number): void {
    this.malformed[status] = (this.malformed[status] ?? 0) + 1
  }
}

function whenFinished(response: ServerResponse | undefined, act: () => void): void {
  if (response === undefined || response.writableFinished) {
    act()
  } else {
    response.once('finish', act)
  }
}

/** Closes a connection so that the client can still read what was written. */
function endConnection(socket: Duplex): void {
  if (!socket.writable) {
    return void socket.destroy()
  }
  // Bytes that the client still sends are read and dropped: a reset could overtake the response.
  socket.resume().end()
  setTimeout(() => socket.destroy(), closingTimeout).unref()
}

/** An error of the HTTP parser of Node.js, with what it was parsing. */
interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Uint8Array
  readonly bytesParsed?: number
}

const requestLine = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ \S+ HTTP\/1\.[01]\r\n/
const longTarget = new RegExp(`^[A-Z-]+ \\S{${maxTargetLength + 1}}`)
const contentLength = /\r\ncontent-length:/i
const badVersion = /^\S+ \S+ HTTP\/(?!1\.[01]\r\n)\d+\.\d+\r\n/

/** Returns the status code for a request that the parser has rejected. */
function statusOfParserError({
  code = '',
  rawPacket,
  bytesParsed = 0,
}: ParserError): FramingStatus {
  const packet = Buffer.from(rawPacket ?? []).toString('latin1')
  // Pipelined requests may share a packet: the malformed one begins where the one before ended.
  const before = packet.lastIndexOf('\r\n\r\n', bytesParsed - 4)
  const head = before === -1 ? packet : packet.slice(before + 4)
  const statuses: Readonly<Record<string, FramingStatus>> = {
    ERR_HTTP_REQUEST_TIMEOUT: 408,
    HPE_HEADER_OVERFLOW: longTarget.test(head) ? 414 : 431,
    HPE_INVALID_METHOD: requestLine.test(head) ? 501 : 400,
    HPE_INVALID_TRANSFER_ENCODING: contentLength.test(packet) ? 400 : 501,
    HPE_INVALID_VERSION: badVersion.test(head) ? 505 : 400,
    HPE_PAUSED_H2_UPGRADE: 505,
  }
  return statuses[code] ?? 400
}
