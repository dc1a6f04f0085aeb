import type { RequestListener } from 'node:http'
import type { Overload } from './overload.ts'
import { createQueue } from './queue.ts'
import { createRunning } from './running.ts'
import type { Visit } from './visit.ts'

export interface LaneOptions {
  readonly app: RequestListener
  /** Requests that are worked on at once, at most. */
  readonly requestsAtOnce: number
  readonly overload: Overload
  readonly now: () => number
}

/** A line of requests that need the same room, in the order in which they came. */
export interface Lane {
  /** The first of those that wait, where there is room for it. */
  readonly next: () => Visit | undefined
  readonly hasRoom: () => boolean
  /** Begins a request that need not wait. */
  readonly pass: (visit: Visit) => void
  /** Lets a request wait; tells whether it may. */
  readonly join: (visit: Visit) => boolean
  /** Begins the first of those that wait. */
  readonly advance: (visit: Visit) => void
  /** Notes that a request is answered, or that nobody waits for it any more; tells whether there is room now. */
  readonly leave: (visit: Visit) => boolean
  /** Takes those out that have waited for so many milliseconds. */
  readonly takeLate: (milliseconds: number) => Visit[]
  readonly running: () => number
  readonly waiting: () => number
  readonly isOverloaded: () => boolean
}

/** Makes a lane. */
export function createLane({ app, requestsAtOnce, overload, now }: LaneOptions): Lane {
  const queue = createQueue()
  const running = createRunning()
  const hasRoom = () => running.count() < requestsAtOnce

  function begin(visit: Visit): void {
    running.begin(visit)
    app(visit.request, visit.response)
  }

  function takeOut(visit: Visit): void {
    if (queue.remove(visit)) overload.emptied()
  }

  return {
    next: () => (queue.size() > 0 && hasRoom() ? queue.first() : undefined),
    hasRoom,
    pass(visit) {
      overload.passed()
      begin(visit)
    },
    join(visit) {
      if (overload.isTooMuch(queue.size())) return false
      if (queue.size() === 0) overload.filled()
      queue.add(visit)
      return true
    },
    advance(visit) {
      overload.note(now() - visit.since)
      takeOut(visit)
      begin(visit)
    },
    leave(visit) {
      takeOut(visit)
      return running.end(visit)
    },
    takeLate(milliseconds) {
      const at = now()
      const late: Visit[] = []
      let head = queue.first()
      while (head !== undefined) {
        overload.see(at - head.since)
        if (at - head.since < milliseconds) break
        late.push(head)
        takeOut(head)
        head = queue.first()
      }
      return late
    },
    running: running.count,
    waiting: queue.size,
    isOverloaded: overload.isOn,
  }
}
