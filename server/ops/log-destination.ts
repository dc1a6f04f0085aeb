import { type DestinationStream, pino } from 'pino'

/** Characters of the log that wait in memory until they can be written; what comes then is dropped. */
const mostWaiting = 1_000_000

/**
 * Makes where the log goes, by default standard output. A disk that is full or a reader that is gone
 * must not end the service, nor stop it: lines wait, and are written when that is possible again.
 */
export function createLogDestination(fd = 1): DestinationStream {
  const stream = pino.destination({
    ...{ fd, sync: true, maxLength: mostWaiting },
    // Otherwise it would wait for a reader that stands still, and everybody with it.
    retryEAGAIN: () => false,
  })
  stream.on('error', () => undefined)
  let lines = ''
  function write(): void {
    const text = lines
    lines = ''
    stream.write(text)
  }
  process.once('exit', write)
  // Without the stream's `flushSync`, which pino calls after a fatal line, and which tries on for ever.
  return {
    write(line) {
      // The lines of one turn of the event loop are written together: a write takes as long as the
      // making of several lines.
      if (lines === '') setImmediate(write)
      lines += line
    },
  }
}
