import type { Logger } from 'pino'

/** Milliseconds between two lines on one reason, and between two on whatever reasons. */
const [pause, leastPause] = [60_000, 1_000]

/** Tells operators that what the service stands on is away: once, not for every request. */
export interface Outages {
  /** Something could not be done, such as an operation. */
  readonly failed: (what: string, error: Error) => void
  /** Something was done. */
  readonly succeeded: (what: string) => void
}

interface Outage {
  readonly since: number
  /** What failed in it, and tells by succeeding that it is over. */
  readonly failed: Set<string>
  isTold: boolean
}

/**
 * Makes what tells of outages: when one begins or its reason changes, every minute while it goes on
 * or comes back, and when something that failed is done again.
 */
export function createOutages(log: Logger): Outages {
  let outage: Outage | undefined
  let told = { reason: '', at: Number.NEGATIVE_INFINITY }
  /** Refused since the last line. */
  let requests = 0

  function isNews(reason: string, now: number): boolean {
    return now - told.at >= (reason === told.reason ? pause : leastPause)
  }

  return {
    failed(what, error) {
      const now = performance.now()
      outage ??= { since: now, failed: new Set(), isTold: false }
      outage.failed.add(what)
      requests++
      if (!isNews(error.message, now)) return
      log.error(
        { requests, err: error.cause ?? error },
        `${error.message} What needs it is answered 503 until that is over; no restart is needed.`,
      )
      outage.isTold = true
      told = { reason: error.message, at: now }
      requests = 0
    },
    succeeded(what) {
      if (outage === undefined || !outage.failed.has(what)) return
      const seconds = Math.round((performance.now() - outage.since) / 1_000)
      if (outage.isTold) log.info({ requests, seconds }, 'The store can be used again.')
      if (outage.isTold) requests = 0
      outage = undefined
    },
  }
}
