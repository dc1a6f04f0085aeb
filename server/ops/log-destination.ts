import { type DestinationStream, pino } from 'pino'

/** Bytes of the log that wait in memory until they can be written; what comes then is dropped. */
export const mostWaiting = 1_000_000

/** Milliseconds after which what could not be written is tried again. */
const patience = 100

/**
 * Makes where the log goes, by default standard output. A disk that is full or a reader that stands
 * still or is gone must not end the service, nor stop it: lines wait, and are written when that is
 * possible again. How many were dropped meanwhile is a line of its own.
 */
export function createLogDestination(fd = 1): DestinationStream {
  const stream = pino.destination({
    ...{ fd, sync: true, maxLength: mostWaiting },
    // Otherwise it would wait for a reader that stands still, and everybody with it.
    retryEAGAIN: () => false,
  })
  let lines = ''
  let dropped = 0
  let isTrying = false

  function write(): void {
    const text = lines
    lines = ''
    tellDropped()
    if (text !== '') stream.write(text)
  }

  function tellDropped(): void {
    if (dropped === 0) return
    const before = dropped
    dropped = 0
    stream.write(describe(before))
    // There is no room for that line either.
    if (dropped > 0) dropped = before
  }

  function retry(): void {
    stream.write('')
    write()
  }

  // By itself the stream tries again only with a line that it takes.
  function tryLater(): void {
    if (isTrying) return
    isTrying = true
    setTimeout(() => {
      isTrying = false
      retry()
    }, patience).unref()
  }

  stream.on('error', tryLater)
  stream.on('drop', (text: string) => {
    dropped += text.split('\n').length - 1
    tryLater()
  })
  process.once('exit', retry)
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

function describe(dropped: number): string {
  const msg = `${dropped} lines of the log were dropped because they could not be written: its disk is full, or its reader stands still.`
  return `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), dropped, msg })}\n`
}
