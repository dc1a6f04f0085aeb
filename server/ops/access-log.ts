import type { Logger } from 'pino'
import { withoutApiKeys } from '../auth/api-key.ts'
import { shorten } from '../contract/errors.ts'
import { isProbe } from './health.ts'
import type { RequestObserver } from './request-observer.ts'

/** Creates the observer that logs a line for each request; health checks are logged at `debug`. */
export function createAccessLog(log: Logger, basePath: string): RequestObserver {
  return function observe({ method }, response) {
    return function logRequest({ status, milliseconds }) {
      // Load shedding logs its rejections in a few lines.
      if (response.locals.isShed) return
      const { requestId, path, operation, traceId } = response.locals
      const { callerId: keyId, errorCode: code } = response.locals
      const line = {
        requestId,
        method,
        // The query may hold anything. Redacted before it is cut: a part of a key is not recognised.
        path: shorten(withoutApiKeys(path)),
        operationId: operation?.operationId,
        route: operation && basePath + operation.path,
        status,
        code,
        milliseconds: Math.round(milliseconds * 1000) / 1000,
        keyId,
        traceId,
      }
      const message = status === undefined ? 'request aborted' : 'request completed'
      log[isProbe(path) ? 'debug' : 'info'](line, message)
    }
  }
}
