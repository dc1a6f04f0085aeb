import type { Logger } from 'pino'

/** Milliseconds between two lines while connections are refused. */
const interval = 60_000

const begun =
  'Connections are refused: as many are open as there may be, of all callers or of one address, and probes may be among those that get none. MAX_CONNECTIONS and MAX_CONNECTIONS_PER_ADDRESS say how many; TRUST_PROXY says that a proxy stands in front.'

/** Tells the log of connections that are refused, at once and then once a minute, however many there are. */
export interface ConnectionReport {
  /** Notes that a connection was refused. */
  readonly note: () => void
  readonly stop: () => void
}

/** Makes such a report. */
export function createConnectionReport(log: Logger): ConnectionReport {
  let timer: NodeJS.Timeout | undefined
  let refused = 0

  function stop(): void {
    clearInterval(timer)
    timer = undefined
  }

  function tell(): void {
    if (refused === 0) stop()
    else log.warn({ refused }, 'Connections are still refused')
    refused = 0
  }

  return {
    note() {
      refused++
      if (timer !== undefined) return
      log.warn({ refused }, begun)
      refused = 0
      timer = setInterval(tell, interval).unref()
    },
    stop,
  }
}
