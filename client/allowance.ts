import { readRateLimit } from './rate-limit.ts'
import { learn, roomIn, type Window } from './window.ts'

/** How many requests may be under way, from what answers say of the limit. */
export interface Allowance {
  readonly room: () => number
  /** When more than some may be under way, by `performance.now()`; by then things may differ. */
  readonly moreAt: (underWay: number) => number
  /** Learns how a request ended: the how manieth it was, and how many were sent by then. */
  readonly note: (response: Response | undefined, number: number, sent: number) => void
}

/** Makes what knows nothing yet. */
export function createAllowance(): Allowance {
  const windows = new Map<number, Window>()
  // Requests without an answer: they may have been counted, and no answer says so yet.
  let [lost, lostAt] = [0, 0]
  let isUnlimited = false
  let most = Number.POSITIVE_INFINITY

  return {
    room() {
      const room = isUnlimited ? Number.POSITIVE_INFINITY : roomIn([...windows.values()], lost)
      return Math.min(Math.floor(most), room)
    },
    moreAt(underWay) {
      const full = [...windows.values()].filter((window) => roomIn([window], lost) <= underWay)
      return Math.max(...full.map(({ resetAt }) => resetAt))
    },
    note(response, number, sent) {
      // Somebody else spends from the same limit: fewer at once then, and only slowly more again.
      most = response?.status === 429 ? 1 : most + 1 / (64 * most)
      const rateLimit = response && readRateLimit(response.headers)
      isUnlimited = response !== undefined && rateLimit === undefined && windows.size === 0
      if (response === undefined || rateLimit === undefined) {
        lost++
        lostAt = sent
        return
      }
      if (number > lostAt) lost = 0
      learn(windows, rateLimit, response, number)
    },
  }
}
