import { readRateLimit } from './rate-limit.ts'
import { wait } from './wait.ts'

/** Holds requests back so that none of them meets the limit. */
export interface Pacer {
  /** Resolves when the next request may be sent; rejects with the reason of the signal. */
  readonly turn: (signal: AbortSignal) => Promise<void>
  /** Learns that a request is over, and what its answer says is left. */
  readonly note: (response: Response | undefined) => void
}

/** A window of the limit, as far as answers have told of it. Windows differ in their limit. */
interface Window {
  left: number
  /** In milliseconds since 1970, by our own clock. */
  resetAt: number
}

/**
 * Makes a pacer that goes by the `X-RateLimit-*` headers alone. While something is left, requests
 * go as they come; when nothing is, they wait for the reset. As long as a window is unknown, at the
 * beginning and after a reset, one request goes at a time and finds out.
 */
export function createPacer(): Pacer {
  const windows = new Map<number, Window>()
  let underWay = 0
  let turns = Promise.resolve()

  async function takeTurn(signal: AbortSignal): Promise<void> {
    for (;;) {
      const now = Date.now()
      const known = [...windows.values()]
      const full = known.filter(({ left, resetAt }) => left <= 0 && resetAt > now)
      const isUnsure = known.length === 0 || known.some(({ resetAt }) => resetAt <= now)
      if (full.length === 0 && (!isUnsure || underWay === 0)) {
        for (const window of known) window.left--
        underWay++
        return
      }
      const resets = full.map(({ resetAt }) => resetAt - now)
      await wait(Math.max(10, ...resets), signal)
    }
  }

  return {
    turn(signal) {
      const turn = turns.then(() => takeTurn(signal))
      turns = turn.catch(() => undefined)
      return turn
    },
    note(response) {
      underWay--
      const rateLimit = response && readRateLimit(response.headers)
      if (response === undefined || rateLimit === undefined) return
      const { limit, remaining, reset } = rateLimit
      // The service's clock may differ from ours: what counts is how far off the reset is.
      const date = Date.parse(response.headers.get('date') ?? '') || Date.now()
      const resetAt = Date.now() + reset.getTime() - date
      const known = windows.get(limit)
      const isSame = known !== undefined && known.resetAt > Date.now()
      // Answers overtake each other, and those under way are not in this one's count.
      const left = isSame ? Math.min(known.left, remaining) : remaining - underWay
      windows.set(limit, { left, resetAt: isSame ? Math.max(known.resetAt, resetAt) : resetAt })
    },
  }
}
