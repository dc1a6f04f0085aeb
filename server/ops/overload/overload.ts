/**
 * Milliseconds for which requests wait too long, without a break, before anybody is refused, and for
 * which nobody is refused before it is over.
 */
const patience = 1_000

/** Milliseconds of that which may lie between two requests; more is a pause of the process. */
const longestGap = 250

/** Requests that may come before one that waits: memory is bounded in that first second too. */
export const mostWaiting = 5_000

/** What is left of a wait's weight with each further one, for a guess of the next. */
const memory = 0.99

/** Tells whether requests wait too long. */
export interface Overload {
  /** Whether a request is to be refused that so many others come before. */
  readonly isTooMuch: (ahead: number) => boolean
  /** Learns how many milliseconds a request has waited when its turn came, behind how many others. */
  readonly note: (waited: number, ahead: number) => void
  readonly isOn: () => boolean
}

/**
 * Makes the judge, after CoDel (RFC 8289): a queue is there to take up bursts, so its length says
 * little. A pause, a burst or code that runs for the first time lets requests wait for a moment; only
 * where every request of a whole second has waited too long there is overload. From then on a request
 * is refused when it would wait too long, until nobody had to be refused for a second. To end it when
 * waits are short would let everybody in again: they are short because the others are refused.
 */
export function createOverload(mostWait: number, now: () => number): Overload {
  let [late, lateAt, seenAt] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  // Waits, and the places in the queue that they were for; old ones count ever less.
  let [waits, places] = [0, 0]
  const wouldWait = (ahead: number) => (places === 0 ? 0 : (ahead * waits) / places)
  const isOn = () => now() - seenAt < patience

  return {
    isTooMuch(ahead) {
      if (ahead >= mostWaiting) return true
      if (wouldWait(ahead) < mostWait || !isOn()) return false
      seenAt = now()
      return true
    },
    note(waited, ahead) {
      waits = waits * memory + waited
      places = places * memory + ahead
      if (waited < mostWait) {
        late = 0
        lateAt = Number.POSITIVE_INFINITY
        return
      }
      const at = now()
      late += Math.max(0, Math.min(at - lateAt, longestGap))
      lateAt = at
      if (late >= patience) seenAt = at
    },
    isOn,
  }
}
