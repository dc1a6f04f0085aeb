import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request, and whether it is being worked on. */
export interface Visit {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  isRunning: boolean
}

/** Counts the requests that are being worked on. */
export interface Running {
  readonly count: () => number
  /** Counts a request, from when all of it has come. */
  readonly begin: (visit: Visit) => void
  /** Counts a request no more. */
  readonly end: (visit: Visit) => void
}

/** Makes a count; it tells when it has become less. */
export function createRunning(onLess: () => void): Running {
  let count = 0

  function add(visit: Visit): void {
    visit.isRunning = true
    count++
  }

  return {
    count: () => count,
    begin(visit) {
      const { request, response } = visit
      // A body that takes its time on the way is no work, however many of them there are.
      if (request.complete || !isWaitingForContent(request)) add(visit)
      else request.once('end', () => response.closed || add(visit))
    },
    end(visit) {
      if (!visit.isRunning) return
      visit.isRunning = false
      count--
      onLess()
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
