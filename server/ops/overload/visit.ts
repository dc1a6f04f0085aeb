import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request, and how far it has come. */
export interface Visit {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** When it came, by the clock of those that wait. */
  readonly since: number
  /** Whether it waits for its turn. */
  isWaiting: boolean
  /** Whether it is being worked on. */
  isRunning: boolean
  /** Whether it is answered, or nobody waits for that any more. */
  isOver: boolean
}

/** Makes the visit of a request that has come. */
export function createVisit(
  request: IncomingMessage,
  response: ServerResponse,
  since: number,
): Visit {
  return { request, response, since, isWaiting: false, isRunning: false, isOver: false }
}
