/** What is left of a turn's weight with each further one. */
const memory = 0.999

/** Milliseconds without a turn after which nobody knows when the next one comes: the store is held, say. */
const standstill = 250

/** How fast those that wait have their turn. */
export interface Pace {
  /** Learns that somebody waits, where nobody did. */
  readonly begin: () => void
  /** Learns that one of those that wait has its turn. */
  readonly step: () => void
  /** Learns that nobody waits any more. */
  readonly end: () => void
  /** Milliseconds that a request would wait behind so many others. */
  readonly waitBehind: (ahead: number) => number
}

/** Makes a measure of pace: what a turn takes while somebody waits for the next. */
export function createPace(now: () => number): Pace {
  let [time, turns] = [0, 0]
  let [movedAt, isMoving] = [0, false]
  return {
    begin() {
      movedAt = now()
    },
    step() {
      const at = now()
      // What the first one waits for is not what a turn takes, but the end of one that is under way.
      if (isMoving) {
        time = time * memory + at - movedAt
        turns = turns * memory + 1
      }
      movedAt = at
      isMoving = true
    },
    end() {
      isMoving = false
    },
    waitBehind(ahead) {
      if (now() - movedAt >= standstill) return Number.POSITIVE_INFINITY
      return turns === 0 ? 0 : (ahead * time) / turns
    },
  }
}
