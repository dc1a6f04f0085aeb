import type { Socket } from 'node:net'

/**
 * Refusals a second that are answered without delay. With thousands of connections a refusal costs
 * half of an answer, so thirty thousand of them a second would leave no time for anything else.
 */
export const mostPerSecond = 2_000

/** Milliseconds that a connection rests at most: what is answered later, nobody waits for any more. */
export const longestRest = 2_000

/** Milliseconds in which refusals that come at once are still answered without delay. */
const slack = 50

/** Milliseconds between two looks at who has rested. */
const interval = 5

interface Resting {
  readonly socket: Socket
  readonly until: number
}

/** Keeps connections that were refused from being read for a while. */
export interface Rest {
  readonly begin: (socket: Socket) => void
  /** Ends every rest, and lets none begin. */
  readonly end: () => void
}

/**
 * Makes the rest of connections that were refused more often than that: they are not read for a
 * while, in turn, so that what is sent on them meanwhile waits in the network and costs nothing here.
 */
export function createRest(): Rest {
  const answered = new Set<Socket>()
  let resting: Resting[] = []
  let slot = 0
  let isOver = false
  let timer: NodeJS.Timeout | undefined

  function wake(at: number): void {
    const next = resting.findIndex(({ until }) => until > at)
    const rested = next === -1 ? resting : resting.slice(0, next)
    resting = next === -1 ? [] : resting.slice(next)
    for (const { socket } of rested) socket.resume()
    if (resting.length > 0) return
    clearInterval(timer)
    timer = undefined
  }

  function lie(): void {
    const now = performance.now()
    for (const socket of answered) {
      slot = Math.min(Math.max(slot, now) + 1000 / mostPerSecond, now + slack + longestRest)
      if (slot - now <= slack || socket.destroyed) continue
      socket.pause()
      resting.push({ socket, until: slot - slack })
    }
    answered.clear()
    if (resting.length > 0) timer ??= setInterval(() => wake(performance.now()), interval).unref()
  }

  return {
    begin(socket) {
      if (isOver) return
      // Once the answer is out: node:http reads on when it ends an exchange.
      if (answered.size === 0) setImmediate(lie)
      answered.add(socket)
    },
    end() {
      isOver = true
      answered.clear()
      wake(Number.POSITIVE_INFINITY)
    },
  }
}
