/** Observations that wait until somebody looks at the metric, or there are enough of them. */
export interface Observations {
  readonly add: (value: number) => void
  readonly flush: () => void
}

/** Observations that wait at most. */
const most = 512

/**
 * Collects observations and hands them on together, which takes a metric a fraction of the time: its
 * code is not there any more when it runs once between two requests.
 */
export function collectObservations(observe: (value: number) => void): Observations {
  let values: number[] = []

  function flush(): void {
    const collected = values
    values = []
    for (const value of collected) observe(value)
  }

  return {
    add(value) {
      if (values.push(value) === most) flush()
    },
    flush,
  }
}
