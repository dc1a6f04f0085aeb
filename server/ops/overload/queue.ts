import type { Visit } from './visit.ts'

/** Places that were left before the others are moved up. */
const mostLeft = 1_000

/** Requests in the order in which they came, which any of them may leave. */
export interface Queue {
  readonly size: () => number
  readonly first: () => Visit | undefined
  readonly add: (visit: Visit) => void
  /** Takes a request out; tells whether it was the last one. */
  readonly remove: (visit: Visit) => boolean
}

/** Makes a queue. */
export function createQueue(): Queue {
  let places: (Visit | undefined)[] = []
  let [begin, size] = [0, 0]

  function first(): Visit | undefined {
    // What is answered is let go at once, not when the others are moved up.
    while (places[begin]?.isWaiting === false) places[begin++] = undefined
    if (begin > mostLeft) {
      places = places.slice(begin)
      begin = 0
    }
    return places[begin]
  }

  return {
    size: () => size,
    first,
    add(visit) {
      visit.isWaiting = true
      places.push(visit)
      size++
    },
    remove(visit) {
      if (!visit.isWaiting) return false
      visit.isWaiting = false
      size--
      if (size > 0) return false
      places = []
      begin = 0
      return true
    },
  }
}
