import { endable } from './endable.ts'
import { readRateLimit } from './rate-limit.ts'
import { after } from './wait.ts'
import { learn, roomIn, type Window } from './window.ts'

/** Holds requests back so that none of them meets the limit. */
export interface Pacer {
  /** Resolves when the next request may be sent; rejects with the reason of the signal. */
  readonly turn: (signal: AbortSignal) => Promise<void>
  /** Learns that a request is over, and what its answer says is left. */
  readonly note: (response: Response | undefined) => void
}

/**
 * Makes a pacer that goes by the `X-RateLimit-*` headers alone. Requests go as they come while more
 * is left than are under way; when nothing is left, they wait for the reset. As long as nothing is
 * known, at the beginning and after a reset, one request goes at a time and finds out.
 */
export function createPacer(): Pacer {
  const windows = new Map<number, Window>()
  const queue = new Set<() => void>()
  let underWay = 0
  let isUnlimited = false
  let cancel = (): void => undefined

  function proceed(): void {
    cancel()
    const known = [...windows.values()]
    const room = isUnlimited ? Number.POSITIVE_INFINITY : roomIn(known)
    for (const go of queue) {
      if (underWay >= room) {
        sleep(known)
        return
      }
      queue.delete(go)
      underWay++
      go()
    }
  }

  // What is under way ends by itself and calls; a window that is used up does not.
  function sleep(known: readonly Window[]): void {
    const ends = known.filter(({ left }) => left <= underWay).map(({ resetAt }) => resetAt)
    const time = Math.max(...ends) - Date.now()
    if (time > 0) cancel = after(time, proceed)
  }

  return {
    turn: (signal) =>
      endable(signal, (resolve) => {
        const go = (): void => resolve()
        queue.add(go)
        queueMicrotask(proceed)
        return () => {
          if (queue.delete(go)) proceed()
        }
      }),
    note(response) {
      underWay--
      const rateLimit = response && readRateLimit(response.headers)
      isUnlimited = response !== undefined && rateLimit === undefined && windows.size === 0
      // A request without an answer may have been counted.
      if (rateLimit === undefined) for (const window of windows.values()) window.left--
      else if (response) learn(windows, rateLimit, response)
      proceed()
    },
  }
}
