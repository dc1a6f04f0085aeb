import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createLoopTurn, type LoopTurn } from './loop-turn.ts'
import type { Overload } from './overload.ts'
import { createRunning } from './running.ts'

interface Waiting {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly since: number
  /** How many were to come before it. */
  readonly ahead: number
}

export interface WaitingLineOptions {
  readonly app: RequestListener
  /** Requests that are worked on at once, at most. */
  readonly requestsAtOnce: number
  readonly overload: Overload
  readonly now: () => number
}

/**
 * Lets requests into an application as far as there is time, in the order in which they came. A
 * connection hands over one at a time, so nobody gets more by sending many on one without waiting.
 */
export interface WaitingLine {
  /** Begins a request, or lets it wait; tells whether it may. */
  readonly enter: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Notes that a request is answered, or that nobody waits for it any more. */
  readonly leave: (response: ServerResponse) => void
  readonly connected: LoopTurn['connected']
  readonly running: () => number
  readonly waiting: () => number
}

export function createWaitingLine(options: WaitingLineOptions): WaitingLine {
  const { app, requestsAtOnce, overload, now } = options
  const queue: Waiting[] = []
  const turn = createLoopTurn(now, proceed)
  const running = createRunning(proceed)
  const hasRoom = () => running.count() < requestsAtOnce && turn.hasTime()

  function begin(request: IncomingMessage, response: ServerResponse): void {
    running.begin(request, response)
    app(request, response)
  }

  function proceed(): void {
    while (queue.length > 0 && hasRoom()) {
      const next = queue.shift()
      if (next === undefined) return
      overload.note(now() - next.since, next.ahead)
      // Nobody waits for it any more.
      if (!next.response.destroyed) begin(next.request, next.response)
    }
  }

  return {
    enter(request, response) {
      if (queue.length === 0 && hasRoom()) {
        overload.note(0, 0)
        begin(request, response)
        return true
      }
      const ahead = queue.length
      if (overload.isTooMuch(ahead)) return false
      queue.push({ request, response, since: now(), ahead })
      return true
    },
    leave: running.end,
    connected: turn.connected,
    running: running.count,
    waiting: () => queue.length,
  }
}
