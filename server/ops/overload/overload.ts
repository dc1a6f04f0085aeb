import { createIdleness } from './idleness.ts'
import { createLateness } from './lateness.ts'
import { createPace } from './pace.ts'

/** Requests that may come before one that waits: memory is bounded before there is overload, too. */
export const mostWaiting = 5_000

/** Tells whether requests wait too long. */
export interface Overload {
  /** Whether a request is to be refused that so many others come before. */
  readonly isTooMuch: (ahead: number) => boolean
  /** Learns that a request waits where nobody did. */
  readonly filled: () => void
  /** Learns that a request need not wait. */
  readonly passed: () => void
  /** Learns how many milliseconds a request has waited when its turn came. */
  readonly note: (waited: number) => void
  /** Learns how many milliseconds the first of those that wait has waited so far. */
  readonly see: (waited: number) => void
  /** Learns that nobody waits any more. */
  readonly emptied: () => void
  readonly isOn: () => boolean
}

/**
 * Makes the judge, after CoDel (RFC 8289): a queue is there to take up bursts, so its length says
 * little. A pause, a burst or code that runs for the first time lets requests wait for a moment; only
 * where every request of a whole second has waited too long there is overload. From then on a request
 * is refused when it would wait too long, until nobody waits for a good part of a second. Short waits
 * are no sign of its end: they are short because others are refused.
 */
export function createOverload(mostWait: number, now: () => number): Overload {
  const lateness = createLateness(mostWait, now)
  const pace = createPace(now)
  const idleness = createIdleness(now)
  let isOverloaded = false

  function begin(): void {
    if (!isOverloaded) idleness.restart()
    isOverloaded = true
  }

  function see(waited: number): void {
    if (lateness.isLong(waited)) begin()
  }

  function isOn(): boolean {
    if (isOverloaded && idleness.isProven()) isOverloaded = false
    return isOverloaded
  }

  return {
    isTooMuch(ahead) {
      if (ahead >= mostWaiting) begin()
      if (!isOverloaded || ahead === 0 || !isOn()) return false
      return ahead >= mostWaiting || pace.waitBehind(ahead) >= mostWait
    },
    filled() {
      pace.begin()
      idleness.end()
    },
    passed: () => see(0),
    note(waited) {
      pace.step()
      see(waited)
    },
    see,
    emptied() {
      pace.end()
      idleness.begin()
    },
    isOn,
  }
}
