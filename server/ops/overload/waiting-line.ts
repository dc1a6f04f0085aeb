import type { RequestListener } from 'node:http'
import { createLane, type Lane } from './lane.ts'
import { createLookout } from './lookout.ts'
import { createLoopTurn, type LoopTurn } from './loop-turn.ts'
import { createOverload } from './overload.ts'
import type { Visit } from './visit.ts'

/** Milliseconds that a request waits at most, where those that wait too long are not refused before. */
export const longestWait = 1_000

export interface WaitingLineOptions {
  readonly app: RequestListener
  /** Requests of each kind that are worked on at once, at most. */
  readonly requestsAtOnce: number
  /** Milliseconds that requests may wait. */
  readonly mostWait: number
  readonly now: () => number
  /** Refuses a request that has waited for too long. */
  readonly refuse: (visit: Visit) => void
}

/**
 * Lets requests into an application as far as there is time, in the order in which they came. A
 * connection hands over one at a time, so nobody gets more by sending many on one without waiting.
 * Requests that only read have room of their own: they need not wait while the store takes no writes.
 */
export interface WaitingLine {
  /** Begins a request, or lets it wait; tells whether it may. */
  readonly enter: (visit: Visit) => boolean
  /** Notes that a request is answered, or that nobody waits for it any more. */
  readonly leave: (visit: Visit) => void
  readonly connected: LoopTurn['connected']
  readonly isOverloaded: () => boolean
  readonly running: () => number
  readonly waiting: () => number
}

/** Methods that read (RFC 9110, section 9.2.1). */
const safe: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS'])

export function createWaitingLine(options: WaitingLineOptions): WaitingLine {
  const { mostWait, now, refuse } = options
  const longest = Math.max(longestWait, mostWait)
  const createOne = () => createLane({ ...options, overload: createOverload(mostWait, now) })
  const [reads, writes] = [createOne(), createOne()]
  const turn = createLoopTurn(now, proceed)
  const laneOf = ({ request }: Visit): Lane => (safe.has(request.method) ? reads : writes)
  const waiting = () => reads.waiting() + writes.waiting()
  let isDue = false

  /** The first of those that could begin now. */
  function next(): Visit | undefined {
    const [read, write] = [reads.next(), writes.next()]
    return write === undefined || (read !== undefined && read.since <= write.since) ? read : write
  }

  function proceed(): void {
    isDue = false
    for (let visit = next(); visit !== undefined && turn.hasTime(); visit = next()) {
      laneOf(visit).advance(visit)
    }
  }

  // Not at once: the answer may be part of another one's turn.
  function proceedLater(): void {
    if (isDue || next() === undefined) return
    isDue = true
    setImmediate(proceed)
  }

  const lookout = createLookout(() => {
    for (const { takeLate } of [reads, writes]) takeLate(longest).forEach(refuse)
    return waiting() > 0
  }, now)

  return {
    enter(visit) {
      const lane = laneOf(visit)
      if (lane.hasRoom() && next() === undefined && turn.hasTime()) {
        lane.pass(visit)
        return true
      }
      lookout.begin()
      return lane.join(visit)
    },
    leave(visit) {
      if (laneOf(visit).leave(visit)) proceedLater()
    },
    connected: turn.connected,
    isOverloaded: () => reads.isOverloaded() || writes.isOverloaded(),
    running: () => reads.running() + writes.running(),
    waiting,
  }
}
