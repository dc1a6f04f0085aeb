import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

export interface ExchangeLimits {
  /** Requests of one connection that may wait for their answers. */
  readonly mostUnanswered: number
  /** Seconds that a request and its answer may take together, until the last byte is taken. */
  readonly seconds: number
  /** Seconds that empty lines, which node:http takes for activity, may put off the end after that. */
  readonly idleSeconds: number
}

/** The turns of the requests of each connection. */
export interface Turns {
  /** Answers a request when its turn comes. */
  readonly join: RequestListener
  /** The answer, made or not, to the last request that has come on a connection. */
  readonly lastOf: (socket: Duplex) => ServerResponse | undefined
}

type Socket = IncomingMessage['socket']

/** The requests of one connection that are not answered yet. */
interface Line {
  length: number
  last: ServerResponse | undefined
  /** The answer to the request whose turn it is. */
  current: ServerResponse | undefined
  /** Ends the connection when a turn has taken too long, or none has come for too long. */
  timer: NodeJS.Timeout | undefined
  isIdle: boolean
  /** Notes that the answer whose turn it was is out. */
  readonly over: () => void
}

// What is answered is not kept until the next request comes: on thousands of connections that is
// more than all that is being worked on, and it would outlive the collections of young objects.
function letGo(line: Line): void {
  line.length--
  const { current } = line
  line.current = undefined
  if (current === undefined || line.last !== current) return
  if (current.req.complete) line.last = undefined
  // Whoever finds a fault in content that is still to come has to know that it was answered.
  else current.req.once('end', () => forget(line, current))
}

function forget(line: Line, answered: ServerResponse): void {
  if (line.last === answered) line.last = undefined
}

/**
 * Lets the requests of one connection be answered one after the other. So whoever sends many at
 * once gets no more done at a time than others, whoever reads no answer has one made and no more,
 * and a request whose answer cannot be sent any more does nothing. A connection that holds more
 * unanswered requests than it may, or one of them for too long, is ended.
 */
export function inTurn(
  answer: RequestListener,
  { mostUnanswered, seconds, idleSeconds }: ExchangeLimits,
): Turns {
  const lines = new WeakMap<Duplex, Line>()

  function createLine(socket: Socket): Line {
    const line: Line = {
      ...{ length: 0, last: undefined, current: undefined, timer: undefined, isIdle: true },
      over: () => letGo(line),
    }
    lines.set(socket, line)
    socket.once('close', () => clearTimeout(line.timer))
    return line
  }

  // One timer for a connection, not one for a request.
  function watch(line: Line, socket: Socket): void {
    if (!line.isIdle) return void line.timer?.refresh()
    clearTimeout(line.timer)
    line.isIdle = false
    line.timer = setTimeout(() => {
      if (line.current?.writableFinished === false) return void socket.destroy()
      line.isIdle = true
      line.timer = setTimeout(() => socket.destroy(), idleSeconds * 1000).unref()
    }, seconds * 1000).unref()
  }

  function begin(line: Line, request: IncomingMessage, response: ServerResponse): void {
    // An answer before this one has ended the connection.
    if (response.socket === null || !response.socket.writable) return
    // No upgrade is taken. What was read together with one is lost in node:http, so that nobody knows
    // where the next request begins.
    if (request.headers.upgrade !== undefined) response.setHeader('Connection', 'close')
    line.current = response
    watch(line, request.socket)
    answer(request, response)
  }

  function join(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    // The parser goes on to the end of what was read with the request that was too many.
    if (socket.destroyed) return
    const line = lines.get(socket) ?? createLine(socket)
    if (line.length === mostUnanswered) return void socket.destroy()
    const before = line.last
    line.last = response
    line.length++
    response.on('finish', line.over)
    if (before === undefined || before.writableFinished) begin(line, request, response)
    else before.once('finish', () => begin(line, request, response))
  }

  return { join, lastOf: (socket) => lines.get(socket)?.last }
}
