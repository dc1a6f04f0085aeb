/** Milliseconds in which a signal that comes again is the same one: npm passes on what both get. */
const echo = 100

/** Stops the process in order when it is told to end, and at once when it is told so twice. */
export function stopOnSignals(stop: () => Promise<void>): void {
  let stoppingSince: number | undefined
  const end = async (): Promise<void> => {
    if (stoppingSince !== undefined) {
      // Whoever asks twice does not want to wait.
      if (performance.now() - stoppingSince > echo) process.exit(1)
      return
    }
    stoppingSince = performance.now()
    await stop()
  }
  process.on('SIGTERM', end).on('SIGINT', end).on('SIGHUP', end)
}
