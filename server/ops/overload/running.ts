import type { IncomingMessage, ServerResponse } from 'node:http'

/** Counts the requests that are being worked on. */
export interface Running {
  readonly count: () => number
  /** Counts a request, from when all of it has come. */
  readonly begin: (request: IncomingMessage, response: ServerResponse) => void
  /** Counts a request no more. */
  readonly end: (response: ServerResponse) => void
}

/** Makes a count; it tells when it has become less. */
export function createRunning(onLess: () => void): Running {
  const running = new Set<ServerResponse>()
  return {
    count: () => running.size,
    begin(request, response) {
      // A body that takes its time on the way is no work, however many of them there are.
      if (!isWaitingForContent(request)) running.add(response)
      else request.once('end', () => response.closed || running.add(response))
    },
    end(response) {
      if (running.delete(response)) onLess()
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
