/** Milliseconds over which the share is taken. */
const span = 1_000

/** The share of that in which nobody waits where there is time for more. */
const spare = 0.1

/** Knows for how much of the time nobody waits. */
export interface Idleness {
  /** Learns that nobody waits any more. */
  readonly begin: () => void
  /** Learns that somebody waits again. */
  readonly end: () => void
  /** Forgets what was before. */
  readonly restart: () => void
  /** Whether nobody waited for a good part of the last second. */
  readonly isProven: () => boolean
}

/** Makes what knows that, by the clock. */
export function createIdleness(now: () => number): Idleness {
  let [from, idle] = [0, 0]
  let idleFrom: number | undefined

  /** Counts what has passed up to a time, and gives how much of it was not counted before. */
  function count(at: number): number {
    if (idleFrom === undefined) return 0
    const passed = at - idleFrom
    idle += passed
    idleFrom = at
    return passed
  }
  function restart(at: number): void {
    from = at
    idle = 0
  }

  return {
    begin() {
      idleFrom ??= now()
    },
    end() {
      if (idleFrom === undefined) return
      count(now())
      idleFrom = undefined
    },
    restart() {
      const at = now()
      count(at)
      restart(at)
    },
    isProven() {
      const at = now()
      if (at - from < span) return false
      const passed = count(at)
      // Looks may be far apart: time without anybody at the end is proof, however busy the rest was.
      const isProven = passed >= spare * span || idle >= spare * (at - from)
      restart(at)
      return isProven
    },
  }
}
