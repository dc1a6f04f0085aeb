import type { RequestListener } from 'node:http'
import { createLoopTurn, type LoopTurn } from './loop-turn.ts'
import type { Overload } from './overload.ts'
import { createRunning, type Visit } from './running.ts'

/** A request that waits. */
interface Waiting {
  readonly visit: Visit
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
  readonly enter: (visit: Visit) => boolean
  /** Notes that a request is answered, or that nobody waits for it any more. */
  readonly leave: (visit: Visit) => void
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

  function begin(visit: Visit): void {
    running.begin(visit)
    app(visit.request, visit.response)
  }

  function proceed(): void {
    while (queue.length > 0 && hasRoom()) {
      const next = queue.shift()
      if (next === undefined) return
      overload.note(now() - next.since, next.ahead)
      // Nobody waits for it any more.
      if (!next.visit.response.destroyed) begin(next.visit)
    }
  }

  return {
    enter(visit) {
      if (queue.length === 0 && hasRoom()) {
        overload.note(0, 0)
        begin(visit)
        return true
      }
      const ahead = queue.length
      if (overload.isTooMuch(ahead)) return false
      queue.push({ visit, since: now(), ahead })
      return true
    },
    leave: running.end,
    connected: turn.connected,
    running: running.count,
    waiting: () => queue.length,
  }
}
