import type { ErrorRequestHandler } from 'express'
import type { Logger } from 'pino'
import { ApiError, internalError, toErrorResponse, unavailable } from '../contract/errors.ts'
import type { ThrottledLog } from '../process/throttled-log.ts'
import { StoreUnavailable } from '../store/errors.ts'
import type { Send } from './send.ts'

/** Returns the middleware that responds with an Error object to every error, and logs unexpected ones. */
export function errorHandler(
  send: Send,
  storeErrorLog: ThrottledLog,
  log: Logger,
): ErrorRequestHandler {
  return function handleError(thrown: unknown, request, response, _next) {
    // A handler that cannot read the content of a request fails because of that.
    const error = response.locals.contentError ?? thrown
    // The client closed the connection before its request was complete.
    if (error === request.errored) {
      return
    }
    const { requestId, path } = response.locals
    const rejection = toApiError(error)
    response.locals.rejection = rejection
    if (error instanceof StoreUnavailable) {
      storeErrorLog.record({ err: error.cause ?? error }, error.message)
    } else if (isUnexpected(rejection)) {
      log.error({ requestId, path, err: rejection.cause ?? error }, 'request failed')
    }
    if (response.headersSent) {
      return void response.destroy()
    }
    try {
      send(response, toErrorResponse(rejection))
    } catch (failure) {
      // Its headers cannot be written: Express would send the stack.
      log.error({ requestId, path, err: failure }, 'request failed')
      send(response, toErrorResponse(internalError(failure)))
    }
  }
}

// Malformed HTTP is the client's error and is logged where it is rejected, whatever its status code.
// `unavailable` is expected: while the service drains, `/readyz` is 503.
function isUnexpected({ status, code }: ApiError): boolean {
  return status >= 500 && code !== 'bad_request_framing' && code !== 'unavailable'
}

/** Returns the error that clients see. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) {
    return error
  }
  return error instanceof StoreUnavailable
    ? unavailable('The service is unavailable.', 1, error)
    : internalError(error)
}
