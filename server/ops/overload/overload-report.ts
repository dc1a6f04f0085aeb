import type { Logger } from 'pino'
import type { Load } from './gate.ts'

/** Milliseconds between two lines of an overload that goes on. */
const interval = 10_000

const begun =
  'The service is overloaded: it refuses what is too much with 503, and serves the rest. Start more instances, or let callers ask less; OVERLOAD_WAIT_MS and REQUESTS_AT_ONCE say what is too much.'

/** Tells the log of overloads, in a line each and one every ten seconds, however many are refused. */
export interface OverloadReport {
  /** Notes that a request was refused. */
  readonly note: () => void
  /** Tells what is left to be told. */
  readonly stop: () => void
}

export function createOverloadReport(log: Logger, load: () => Load): OverloadReport {
  let timer: NodeJS.Timeout | undefined
  let [before, told] = [0, 0]

  function tell(): void {
    const { refused, running, waiting } = load()
    const isOver = refused === told
    if (isOver) stop()
    else log.warn({ refused: refused - told, running, waiting }, 'still overloaded')
    told = refused
  }

  function stop(): void {
    if (timer === undefined) return
    clearInterval(timer)
    timer = undefined
    const { refused } = load()
    log.info({ refused: refused - before }, 'the overload is over')
    before = refused
  }

  return {
    note() {
      if (timer !== undefined) return
      const { running, waiting } = load()
      log.warn({ running, waiting }, begun)
      timer = setInterval(tell, interval).unref()
    },
    stop,
  }
}
