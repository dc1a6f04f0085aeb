import type { Request, RequestHandler, Response } from 'express'

/** How a request ended. */
export interface Outcome {
  /** Undefined when the client closed the connection before the response was sent. */
  readonly status: number | undefined
  /** From the start of the request until the response was sent, or the client was gone. */
  readonly milliseconds: number
}

/** Observes the start of a request, and returns what observes its end. */
export type RequestObserver = (
  request: Pick<Request, 'method' | 'url'>,
  response: Pick<Response, 'locals' | 'statusCode'>,
) => (outcome: Outcome) => void

/** Returns the middleware that lets observers see every request. */
export function observe(observers: readonly RequestObserver[]): RequestHandler {
  return function observeRequest(request, response, next) {
    if (observers.length === 0) return next()
    const from = performance.now()
    const ends = observers.map((watcher) => watcher(request, response))
    response.on('close', () => {
      const status = response.writableFinished ? response.statusCode : undefined
      const outcome = { status, milliseconds: performance.now() - from }
      for (const end of ends) end(outcome)
    })
    next()
  }
}
