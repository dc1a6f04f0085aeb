/**
 * Milliseconds of a turn of the event loop in which requests are begun. Those that have come meanwhile
 * wait for the next one, so that probes, timers, databases and new connections need not wait for them.
 */
const slice = 10

/** The same where a connection has come: libuv accepts one a turn, and more may be waiting. */
const sliceWhenConnecting = 1

/** The turn that the event loop is in. */
export interface LoopTurn {
  readonly hasTime: () => boolean
  /** Notes that a connection has come. */
  readonly connected: () => void
}

/** Makes a watch on turns; it tells when one is over in which somebody asked for time. */
export function createLoopTurn(now: () => number, onOver: () => void): LoopTurn {
  let begunAt: number | undefined
  let isConnecting = false
  let length = slice

  function end(): void {
    begunAt = undefined
    onOver()
  }

  return {
    hasTime() {
      if (begunAt !== undefined) return now() - begunAt < length
      begunAt = now()
      length = isConnecting ? sliceWhenConnecting : slice
      isConnecting = false
      setImmediate(end)
      return true
    },
    connected() {
      isConnecting = true
      length = sliceWhenConnecting
    },
  }
}
