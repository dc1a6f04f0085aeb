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
    const ends = observers.map((observer) => observer(request, response))
    response.on('close', () => {
      const status = response.writableFinished ? response.statusCode : undefined
      const outcome = { status, milliseconds: performance.now() - from }
      for (const end of ends) end(outcome)
    })
    next()
  }
}

/** A request to the API and how it ended. */
export interface RequestReport {
  /** When it arrived, as an RFC 3339 date-time. */
  readonly at: string
  /** The `X-Request-Id` of the response. */
  readonly id: string
  readonly method: string
  /** The path with its query, as it was sent. */
  readonly path: string
  readonly status: number
  readonly milliseconds: number
  /** Where the response violates the contract. */
  readonly violations: readonly string[]
  /** The `code` of the Error object that was sent. */
  readonly code?: string
}

/** Creates the observer that reports every request under the base path. */
export function reportRequests(onRequest: (report: RequestReport) => void): RequestObserver {
  return function observe({ method, url: path }, response) {
    const at = new Date().toISOString()
    return function report(outcome) {
      const { requestId: id, violations, errorCode, isUnderContract } = response.locals
      if (!isUnderContract) return
      const milliseconds = Math.round(outcome.milliseconds * 10) / 10
      const code = errorCode === undefined ? {} : { code: errorCode }
      const status = response.statusCode
      onRequest({ at, id, method, path, status, milliseconds, violations, ...code })
    }
  }
}
