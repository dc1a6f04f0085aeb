import { createAllowance } from './allowance.ts'
import { endable } from './endable.ts'
import { after } from './wait.ts'

/** Holds requests back so that none of them meets the limit. */
export interface Pacer {
  /**
   * Resolves when the next request may be sent, to what is to be told that it is over, and with which
   * answer; rejects with the reason of the signal.
   */
  readonly turn: (
    signal: AbortSignal | undefined,
  ) => Promise<(response: Response | undefined) => void>
}

/**
 * Makes a pacer that goes by the `X-RateLimit-*` headers alone. Requests go as they come while more
 * is left than are under way; when nothing is left, they wait for the reset. As long as nothing is
 * known, at the beginning and after a reset, one request goes at a time and finds out.
 */
export function createPacer(): Pacer {
  const allowance = createAllowance()
  const queue = new Set<() => void>()
  let [sent, underWay] = [0, 0]
  let cancel = (): void => undefined

  function proceed(): void {
    cancel()
    const room = allowance.room()
    for (const go of queue) {
      if (underWay >= room) {
        // What is under way ends by itself and calls; a window that is used up does not.
        const time = allowance.moreAt(underWay) - performance.now()
        if (time > 0) cancel = after(time, proceed)
        return
      }
      queue.delete(go)
      go()
    }
  }

  return {
    turn: (signal) =>
      endable(signal, (resolve) => {
        const go = (): void => {
          const number = ++sent
          underWay++
          resolve((response) => {
            underWay--
            allowance.note(response, number, sent)
            proceed()
          })
        }
        queue.add(go)
        queueMicrotask(proceed)
        return () => {
          if (queue.delete(go)) proceed()
        }
      }),
  }
}
