import type { IncomingMessage, ServerResponse } from 'node:http'

/** Counts the requests that are being worked on. */
export interface Running {
  readonly count: () => number
  /** Counts a request until it is answered. */
  readonly watch: (request: IncomingMessage, response: ServerResponse) => void
}

/** Makes a count; it tells when it has become less. */
export function createRunning(onLess: () => void): Running {
  let running = 0
  return {
    count: () => running,
    watch(request, response) {
      let isCounted = false
      let isOver = false
      const count = (): void => {
        if (isOver) return
        isCounted = true
        running++
      }
      // A body that takes its time on the way is no work, however many of them there are.
      if (mayHaveBody(request)) request.once('end', count)
      else count()
      response.on('close', () => {
        isOver = true
        if (!isCounted) return
        running--
        onLess()
      })
    },
  }
}

function mayHaveBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}
