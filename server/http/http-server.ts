import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Duplex, duplexPair } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { ErrorResponses } from '../contract/error-responses.ts'
import { type ApiError, toErrorResponse } from '../contract/errors.ts'
import { securityHeaders } from '../contract/headers.ts'
import { kindOf } from '../description/content-kind.ts'
import { STATUS_CODES } from '../description/http-names.ts'
import { json } from '../description/media-types.ts'
import { createServer, listen } from '../process/node-http.ts'
import { ThrottledLog } from '../process/throttled-log.ts'
import { networkOf } from '../security/network.ts'
import { dropUnread, endAndDrain } from './connection-end.ts'
import { contentTypeField } from './content-type-field.ts'
import {
  type FramingStatus,
  framingError,
  framingStatuses,
  maxTargetLength,
  toOriginForm,
} from './framing.ts'
import { type RequestContext, toRequestId } from './request-context.ts'
import { toContent } from './to-content.ts'
import { watchUpload } from './upload-progress.ts'

/** Bytes of a header section, the request line included, and of the fields after a chunked body. */
const maxHeaderBytes = 16_384
const maxHeaderFields = 100

/**
 * Bytes that a connection keeps in memory before it stops reading, or writing. With the 64 KiB that Node.js keeps by
 * default, a request reads up to 128 KiB more than were asked for.
 */
const bufferedBytes = 32_768

/** Milliseconds after which the server no longer waits for connections that it has closed. */
const closingTimeout = 1_000

/** Milliseconds between two looks at whether the server still drains. */
const drainInterval = 20

/** Milliseconds that the last responses may take to get to their clients, after the last request has ended. */
const lastResponsesTimeout = 100

/** Requests that a connection may send ahead of their responses. */
const maxPipelined = 100

/** A response; Express gives it `locals` when its request begins. */
type ResponseInProgress = ServerResponse & { readonly locals?: Partial<RequestContext> }

interface Connection {
  /** Requests without a response. */
  pending: number
  /**
   * The response to the last request that has arrived. It is forgotten once it is sent and all of its request has
   * arrived. If it is sent before, it is kept: the rest of the request may be malformed, and must not get a second
   * response.
   */
  lastResponse?: ResponseInProgress | undefined
  isMalformed: boolean
}

/** A request that cannot be read as HTTP. */
interface MalformedRequest {
  readonly status: FramingStatus
  /** Whether the client has closed its side of the connection within the request, which is neither counted nor logged. */
  readonly isCutOff?: boolean
}

/** How long a server that stops still takes requests, in milliseconds. */
export interface Draining {
  /** From the beginning of the stop. */
  readonly minimum?: number
  /** From the end of the last request. */
  readonly quietPeriod?: number
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
  readonly #errors: ErrorResponses
  readonly #log: Logger
  readonly #server: Server
  readonly #connections = new Map<Duplex, Connection>()
  /** Open connections of each network. */
  readonly #networks = new Map<string, number>()
  readonly #rejectionLogs: Readonly<Record<'all' | 'address', ThrottledLog>>
  #app: RequestListener = () => undefined
  /** The responses to the requests that are processed. */
  readonly #running = new Set<ResponseInProgress>()
  /** When a request ended last that was no health check. */
  #lastEndedAt = Number.NEGATIVE_INFINITY

  constructor(config: Config, errors: ErrorResponses, log: Logger) {
    this.#config = config
    this.#errors = errors
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
    const onRequest: RequestListener = (request, response) => this.#receive(request, response)
    this.#server = createBoundedServer(config.connections, onRequest)
    this.#server.on('checkContinue', onRequest).on('checkExpectation', onRequest)
    this.#server.on('connection', (socket) => this.#accept(socket))
    this.#server.on('drop', () => this.#rejectConnection('all'))
    this.#server.on('clientError', (error, socket) => this.#handleClientError(error, socket))
    this.#server.on('connect', (_request, socket) => {
      // The server no longer handles errors of this connection.
      socket.on('error', () => socket.destroy())
      this.#rejectMalformed(socket, { status: 501 })
    })
  }

  /** Serves an application; resolves with the origin. */
  listen(app: RequestListener): Promise<string> {
    this.#app = app
    return listen(this.#server, this.#config.host, this.#config.port)
  }

  /**
   * Opens a connection within the process. Its requests are served as if a client with the address had sent them.
   * Returns the client's end.
   */
  connect(remoteAddress: string | undefined): Duplex {
    const [clientEnd, serverEnd] = duplexPair()
    // Connections and requests are counted by the address of their connection.
    Object.assign(serverEnd, { remoteAddress })
    this.#server.emit('connection', serverEnd)
    return clientEnd
  }

  /** How many connections are open. */
  get open(): number {
    return this.#connections.size
  }

  /** How many requests have no response yet, health checks included. */
  get running(): number {
    return this.#running.size
  }

  /**
   * Stops the server. While it drains, it serves; then, or after the grace, it takes no new connections, closes
   * the idle ones and ends the others. Health checks get responses until the end and do not extend it.
   */
  async close(draining: Draining = {}): Promise<void> {
    await this.#drain(draining)

    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    // Requests that still run have used up the grace.
    if (this.running === 0) {
      await Promise.race([closed, wait(lastResponsesTimeout)])
    }
    await this.#cutOffRunning()
    await closed

    for (const rejectionLog of Object.values(this.#rejectionLogs)) {
      rejectionLog.stop()
    }
  }

  /** Waits until requests have ended and no more arrive, within the grace. */
  async #drain({ minimum = 0, quietPeriod = 0 }: Draining): Promise<void> {
    const startedAt = performance.now()
    const deadline = startedAt + this.#config.shutdownGraceSeconds * 1_000
    // A test may set the clock back.
    const since = (time: number) => Math.max(0, performance.now() - time)
    const isServing = () => {
      const isQuiet = since(this.#lastEndedAt) >= quietPeriod
      return this.running > 0 || since(startedAt) < minimum || !isQuiet
    }

    while (isServing() && performance.now() < deadline) {
      await wait(drainInterval)
    }
  }

  /** Closes all connections; resolves when the requests that were running have a line of the log. */
  async #cutOffRunning(): Promise<void> {
    for (const { locals } of this.#running) {
      if (locals !== undefined) {
        locals.abortedBy = 'shutdown'
      }
    }
    this.#server.closeAllConnections()

    // The server is closed before its connections are: the responses end one step later.
    const deadline = performance.now() + closingTimeout
    while (this.running > 0 && performance.now() < deadline) {
      await nextTurn()
    }
  }

  #accept(socket: Socket): void {
    const { connections, trustProxy } = this.#config
    const network = networkOf(socket.remoteAddress)
    const openCount = this.#networks.get(network) ?? 0
    // Behind a proxy every connection is the proxy's.
    if (trustProxy === 0 && openCount >= connections.perAddress) {
      socket.destroy()
      return void this.#rejectConnection('address')
    }

    this.#networks.set(network, openCount + 1)
    this.#connections.set(socket, { pending: 0, isMalformed: false })
    socket.once('close', () => {
      this.#connections.delete(socket)
      this.#countClosed(network)
    })
  }

  #countClosed(network: string): void {
    const openCount = (this.#networks.get(network) ?? 1) - 1
    if (openCount === 0) {
      this.#networks.delete(network)
    } else {
      this.#networks.set(network, openCount)
    }
  }

  #rejectConnection(by: 'all' | 'address'): void {
    this.rejected[by]++
    this.#rejectionLogs[by].record()
  }

  /**
   * Processes the requests of a connection one after the other. By itself, node:http would begin all of them,
   * and keep their responses in memory until the client reads.
   */
  #receive(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const connection = this.#connections.get(socket)
    // After a connection was closed, the parser continues to the end of the bytes that it has read.
    if (connection === undefined || socket.destroyed) {
      return
    }
    if (connection.pending === maxPipelined) {
      return void socket.destroy()
    }

    const responseBefore = connection.lastResponse
    connection.lastResponse = response
    connection.pending++
    response.once('finish', () => {
      connection.pending--
      if (connection.lastResponse === response && request.complete) {
        connection.lastResponse = undefined
      }
    })
    whenFinished(responseBefore, () => this.#begin(request, response))
  }

  #begin(request: IncomingMessage, response: ResponseInProgress): void {
    // The response before this one has closed the connection.
    if (response.socket?.writable !== true) {
      return
    }

    const { url = '', method, socket } = request
    const isTooLong = url.length > maxTargetLength
    const target = toOriginForm(url, method)
    if (target === undefined) {
      return void this.#writeRejection(socket, { status: isTooLong ? 414 : 400 })
    }
    // Express would respond with HTML to a target that it cannot parse. The framing checks reject a long one.
    if (!isTooLong) {
      request.url = target
    }
    // No upgrade is accepted. With a request for one, node:http may have read bytes of the next request, and loses them.
    if (request.headers.upgrade !== undefined) {
      response.setHeader('Connection', 'close')
    }

    this.#running.add(response)
    dropUnread(request, response)
    response.once('close', () => {
      this.#running.delete(response)
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

  /** Handles a request that the parser rejects, or that has not arrived in time. */
  #handleClientError(error: ParserError, socket: Duplex): void {
    const { lastResponse } = this.#connections.get(socket) ?? {}
    const isUploading = lastResponse?.locals?.isUpload === true && !lastResponse.req.complete
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isUploading) {
      watchUpload(lastResponse.req, this.#config.connections.requestSeconds, () => {
        this.#rejectMalformed(socket, { status: 408 })
      })
      return
    }

    const isCutOff = error.code === 'HPE_INVALID_EOF_STATE'
    this.#rejectMalformed(socket, { status: statusOfParserError(error), isCutOff })
  }

  /** Rejects a malformed request after the responses to the requests before it. */
  #rejectMalformed(socket: Duplex, malformed: MalformedRequest): void {
    const connection = this.#connections.get(socket)
    // Whatever follows a malformed request is malformed, too.
    if (connection === undefined || connection.isMalformed) {
      return
    }
    connection.isMalformed = true

    const { lastResponse } = connection
    if (lastResponse === undefined || lastResponse.req.complete) {
      whenFinished(lastResponse, () => this.#writeRejection(socket, malformed))
    } else {
      this.#rejectContent(socket, malformed, lastResponse)
    }
  }

  /** Rejects the content of a request, which gets one response, after the responses to the requests before it. */
  #rejectContent(socket: Duplex, malformed: MalformedRequest, response: ResponseInProgress): void {
    const reject = () => this.#writeRejection(socket, malformed, response.locals)
    if (response.headersSent) {
      whenFinished(response, () => endAndDrain(socket))
      return
    }

    // node:http gives a response the socket when the responses before it are sent.
    const isNext = response.socket !== null
    if (isNext) {
      reject()
    } else {
      response.once('socket', reject)
    }
  }

  /**
   * Writes an error response to a connection and closes it. There may be no request object for the
   * usual way to respond.
   */
  #writeRejection(
    socket: Duplex,
    { status, isCutOff = false }: MalformedRequest,
    locals: Partial<RequestContext> = {},
  ): void {
    if (socket.writable) {
      const { requestId = toRequestId(undefined) } = locals
      const error = framingError(status)
      socket.write(this.#printRejection(error, status, requestId))
      if (!isCutOff) {
        locals.statusOnSocket = status
        this.#countMalformed(status)
        this.#log.info({ status, requestId, code: error.code }, 'malformed request')
      }
    }
    endAndDrain(socket)
  }

  /** Returns the response to a malformed request, as it is sent. */
  #printRejection(error: ApiError, status: FramingStatus, requestId: string): string {
    const context = {
      requestId,
      isApiRequest: false,
      headers: { ...securityHeaders, 'X-Request-Id': requestId },
    }
    const prepared = this.#errors.prepare(toErrorResponse(error), context)
    const { body, mediaType = json } = prepared.response
    const content = body === undefined ? '' : toContent(body, kindOf(mediaType))
    const contentType =
      body === undefined ? {} : { 'Content-Type': contentTypeField(mediaType, content) }
    const headers = {
      ...prepared.headers,
      Date: new Date().toUTCString(),
      Connection: 'close',
      ...contentType,
      'Content-Length': Buffer.byteLength(content),
    }

    const statusLine = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`
    const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    return [statusLine, ...fields, '', content].join('\r\n')
  }

  #countMalformed(status: number): void {
    this.malformed[status] = (this.malformed[status] ?? 0) + 1
  }
}

/** Creates a server within the limits of connections. */
function createBoundedServer(
  connections: Config['connections'],
  onRequest: RequestListener,
): Server {
  const options = {
    // The application rejects requests without a Host header, with an Error object.
    requireHostHeader: false,
    maxHeaderSize: maxHeaderBytes,
    highWaterMark: bufferedBytes,
    // A request without content has a stream that has ended already.
    optimizeEmptyRequests: true,
    // How late a timeout may be.
    connectionsCheckingInterval: 1_000,
  }
  const server = createServer(options, onRequest)
  // As options, node:http rejects them where the first is longer than the second.
  server.headersTimeout = connections.headersSeconds * 1_000
  server.requestTimeout = connections.requestSeconds * 1_000
  server.keepAliveTimeout = connections.idleSeconds * 1_000
  // Without progress while a request is processed or its response is sent.
  server.timeout = connections.socketTimeoutSeconds * 1_000
  server.maxHeadersCount = maxHeaderFields
  server.maxConnections = connections.most
  return server
}

/** Calls a function once a response is sent, at once if it is or if there is none. */
function whenFinished(response: ServerResponse | undefined, act: () => void): void {
  if (response === undefined || response.writableFinished) {
    act()
  } else {
    response.once('finish', act)
  }
}

/** An error of the HTTP parser of Node.js, with what it was parsing. */
interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Uint8Array
  readonly bytesParsed?: number
}

const validRequestLine = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ \S+ HTTP\/1\.[01]\r\n/
const lineWithLongTarget = new RegExp(`^[A-Z-]+ \\S{${maxTargetLength + 1}}`)
const lineWithOtherVersion = /^\S+ \S+ HTTP\/(?!1\.[01]\r\n)\d+\.\d+\r\n/
const contentLengthField = /\r\ncontent-length:/i
const endOfHeaders = '\r\n\r\n'

/** Returns the status code for a request that the parser has rejected. */
function statusOfParserError(error: ParserError): FramingStatus {
  const { code, rawPacket = [], bytesParsed = 0 } = error
  const packet = Buffer.from(rawPacket).toString('latin1')
  // Pipelined requests may share a packet: the malformed one begins where the one before ended.
  const endOfRequestBefore = packet.lastIndexOf(endOfHeaders, bytesParsed - endOfHeaders.length)
  const request =
    endOfRequestBefore === -1 ? packet : packet.slice(endOfRequestBefore + endOfHeaders.length)
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 408
    case 'HPE_HEADER_OVERFLOW':
      return lineWithLongTarget.test(request) ? 414 : 431
    case 'HPE_INVALID_METHOD':
      return validRequestLine.test(request) ? 501 : 400
    case 'HPE_INVALID_TRANSFER_ENCODING':
      return contentLengthField.test(packet) ? 400 : 501
    case 'HPE_INVALID_VERSION':
      return lineWithOtherVersion.test(request) ? 505 : 400
    case 'HPE_PAUSED_H2_UPGRADE':
      return 505
    default:
      return 400
  }
}
