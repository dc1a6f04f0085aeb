import type { IncomingMessage } from 'node:http'
import type { Visit } from './visit.ts'

/** Counts the requests that are being worked on. */
export interface Running {
  readonly count: () => number
  /** Counts a request, from when all of it has come, or been read. */
  readonly begin: (visit: Visit) => void
  /** Counts a request no more; tells whether it was. */
  readonly end: (visit: Visit) => boolean
}

/** Makes a count. */
export function createRunning(): Running {
  let count = 0

  function add(visit: Visit): void {
    if (visit.isOver || visit.isRunning) return
    visit.isRunning = true
    count++
  }

  return {
    count: () => count,
    begin(visit) {
      const { request } = visit
      // A body that takes its time on the way is no work, however many of them there are.
      if (request.complete || !isWaitingForContent(request)) return add(visit)
      // Content that came together with its head is read by the parser after this, and by whoever
      // takes it when the caller is known.
      setImmediate(() => {
        if (request.complete) add(visit)
      })
      request.once('end', () => add(visit))
    },
    end(visit) {
      visit.isOver = true
      if (!visit.isRunning) return false
      visit.isRunning = false
      count--
      return true
    },
  }
}

// Content of other methods means nothing (RFC 9110, section 9.3): nobody reads it, so that it may
// never end.
const readWithContent: ReadonlySet<string | undefined> = new Set(['POST', 'PUT', 'PATCH'])

function isWaitingForContent({ method, headers }: IncomingMessage): boolean {
  const length = headers['content-length'] ?? '0'
  const hasContent = length !== '0' || headers['transfer-encoding'] !== undefined
  return hasContent && readWithContent.has(method)
}
