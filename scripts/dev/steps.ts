/** Times of the steps of a run, by name. */
export interface Stopwatch {
  /** Runs a step and notes how long it took. */
  readonly time: <Result>(step: string, work: () => Promise<Result>) => Promise<Result>
  /** How long each step took, 0 while it runs, and all together, in milliseconds. */
  readonly read: () => Record<string, number>
}

/** Makes a stopwatch that runs from a moment on, in milliseconds of `performance.now()`. */
export function createStopwatch(from = performance.now()): Stopwatch {
  const times: Record<string, number> = {}
  return {
    async time(step, work) {
      // From here on it has its place in their order.
      times[step] = 0
      const start = performance.now()
      try {
        return await work()
      } finally {
        times[step] = Math.max(1, Math.round(performance.now() - start))
      }
    },
    read: () => ({ ...times, total: Math.round(performance.now() - from) }),
  }
}
