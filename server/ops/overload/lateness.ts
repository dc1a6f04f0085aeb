/** Milliseconds for which requests wait too long, without a break, before there is overload. */
const patience = 1_000

/** Milliseconds of that which may lie between two looks; more is a pause of the process. */
const longestGap = 250

/** Knows for how long requests have been late. */
export interface Lateness {
  /** Learns that a request waits, or has waited, for so many milliseconds; tells whether all do for long. */
  readonly isLong: (waited: number) => boolean
}

/** Makes what knows for how long every request has waited longer than it may. */
export function createLateness(mostWait: number, now: () => number): Lateness {
  let [late, at] = [0, Number.POSITIVE_INFINITY]
  return {
    isLong(waited) {
      if (waited < mostWait) {
        late = 0
        at = Number.POSITIVE_INFINITY
        return false
      }
      const before = at
      at = now()
      late += Math.max(0, Math.min(at - before, longestGap))
      return late >= patience
    },
  }
}
