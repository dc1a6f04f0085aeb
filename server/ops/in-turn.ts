import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

export interface ExchangeLimits {
  /** Requests of one connection that may wait for their answers. */
  readonly mostUnanswered: number
  /** Seconds that a request and its answer may take together, until the last byte is taken. */
  readonly seconds: number
}

/** The requests of one connection that are not answered yet. */
interface Line {
  length: number
  last?: ServerResponse
}

/**
 * Lets the requests of one connection be answered one after the other. So whoever sends many at
 * once gets no more done at a time than others, whoever reads no answer has one made and no more,
 * and a request whose answer cannot be sent any more does nothing. A connection that holds more
 * unanswered requests than it may, or one of them for too long, is ended.
 */
export function inTurn(
  answer: RequestListener,
  { mostUnanswered, seconds }: ExchangeLimits,
): RequestListener {
  const lines = new WeakMap<IncomingMessage['socket'], Line>()

  function begin(request: IncomingMessage, response: ServerResponse): void {
    // An answer before this one has ended the connection.
    if (response.socket === null || !response.socket.writable) return
    // No upgrade is taken. What was read together with one is lost in node:http, so that nobody knows
    // where the next request begins.
    if (request.headers.upgrade !== undefined) response.setHeader('Connection', 'close')
    const timer = setTimeout(() => request.socket.destroy(), seconds * 1000).unref()
    response.once('close', () => clearTimeout(timer))
    answer(request, response)
  }

  return function join(request, response) {
    const { socket } = request
    // The parser goes on to the end of what was read with the request that was too many.
    if (socket.destroyed) return
    const line = lines.get(socket) ?? { length: 0 }
    if (line.length === mostUnanswered) return void socket.destroy()
    const before = line.last
    line.length++
    line.last = response
    lines.set(socket, line)
    response.once('close', () => line.length--)
    if (before === undefined || before.writableFinished) begin(request, response)
    else before.once('finish', () => begin(request, response))
  }
}
