import { AsyncResource } from 'node:async_hooks'
import type { NextFunction, RequestHandler, Response } from 'express'

/** Milliseconds of one turn of the event loop in which requests are begun. */
const budget = 10

/**
 * Returns the middleware that begins requests for ten milliseconds of a turn of the event loop, and
 * the others in the next turns, in order. Node.js reads every connection that has data before it
 * accepts new ones: with thousands of clients, health checks would wait for seconds.
 */
export function limitEventLoopTurn(): RequestHandler {
  let deferred: { readonly response: Response; readonly next: NextFunction }[] = []
  let begun: number | undefined

  function hasTime(): boolean {
    if (begun !== undefined) return performance.now() - begun < budget
    begun = performance.now()
    setImmediate(endTurn)
    return true
  }

  function endTurn(): void {
    begun = undefined
    let count = 0
    while (count < deferred.length && hasTime()) {
      const request = deferred[count++]
      // A client that is gone needs no response.
      if (request?.response.destroyed === false) request.next()
    }
    deferred = deferred.slice(count)
  }

  return function beginRequest(_request, response, next) {
    if (deferred.length === 0 && hasTime()) next()
    // Another request's turn begins it, with another trace.
    else deferred.push({ response, next: AsyncResource.bind(next) })
  }
}
