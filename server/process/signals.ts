import type { Logger } from 'pino'

/** Milliseconds in which a repeated signal is the same one: npm passes on what both get. */
const echo = 100

/** Milliseconds beyond the grace that closing everything may take. */
const closeTimeout = 5_000

/** Uncaught errors that are logged, one following from the other. */
const maxLogged = 10

/** Stops the process gracefully on SIGTERM, SIGINT and SIGHUP, and at once on a second signal. */
export function stopOnSignals(stop: () => Promise<void>): void {
  let since: number | undefined
  const end = (): void => {
    if (since === undefined) {
      since = performance.now()
      void stop()
    } else if (performance.now() - since > echo) {
      process.exit(1)
    }
  }
  process.on('SIGTERM', end).on('SIGINT', end).on('SIGHUP', end)
}

/**
 * Stops the process gracefully after an uncaught error, as the manual of Node.js advises: its state
 * is unknown, but running requests are finished. The exit status is 1, for a supervisor to restart it.
 */
export function stopOnUncaughtErrors(
  log: Logger,
  stop: () => Promise<void>,
  graceSeconds: number,
): void {
  let errors = 0
  const end = (): void => process.exit(1)
  // Unhandled rejections come here, too.
  process.on('uncaughtException', (err, origin) => {
    if (++errors > maxLogged) {
      return
    }
    log.fatal({ err, origin }, 'uncaught error: shutting down')
    if (errors > 1) {
      return
    }
    process.exitCode = 1
    setTimeout(end, graceSeconds * 1_000 + closeTimeout).unref()
    stop().then(end, end)
  })
}
