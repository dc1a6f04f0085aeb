/** The requests of a server, without those of probes. */
export interface Traffic {
  /** How many are not answered yet. */
  readonly running: () => number
  /** Milliseconds since the last one was answered; endless before the first. */
  readonly lull: () => number
}

/** Traffic, and where it is counted. */
export interface TrafficCount extends Traffic {
  readonly begun: () => void
  readonly over: () => void
}

/** Makes a count of the requests that are not answered yet. */
export function countTraffic(): TrafficCount {
  let running = 0
  let lastAt = Number.NEGATIVE_INFINITY
  return {
    begun() {
      running++
    },
    over() {
      running--
      lastAt = performance.now()
    },
    running: () => running,
    lull: () => performance.now() - lastAt,
  }
}
