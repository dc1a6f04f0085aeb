import type { Logger } from 'pino'

/** Milliseconds beyond the grace that closing everything may take. */
const spare = 5_000
/** Errors that are told, one in the wake of the other. */
const mostTold = 10

/**
 * Ends the process in order after an error that nobody caught, as the manual of Node.js advises:
 * what it has left behind is not known, so nothing goes on for long, but requests that are running
 * are finished. The status is 1, for a supervisor to start the service again.
 */
export function stopOnUnexpected(log: Logger, stop: () => Promise<void>, graceSeconds: number) {
  let errors = 0
  const end = (): void => process.exit(1)
  // A rejection that nobody handles comes here too.
  process.on('uncaughtException', (err, origin) => {
    if (++errors > mostTold) return
    log.fatal({ err, origin }, 'An error that nobody expected: the service finishes and ends.')
    if (errors > 1) return
    process.exitCode = 1
    setTimeout(end, graceSeconds * 1_000 + spare).unref()
    stop().then(end, end)
  })
}
