import type { Logger } from 'pino'
import { withoutApiKeys } from '../auth/api-key.ts'
import { shorten } from '../contract/errors.ts'
import { isProbe } from './health.ts'
import type { RequestObserver } from './request-observer.ts'

/** What the line of a request says; a line in a terminal is made of the same. */
export interface RequestLine {
  readonly requestId: string
  readonly method: string
  /** Without the query, and without anything that can be an API key: a cut one would pass for none. */
  readonly path: string
  readonly operationId: string | undefined
  /** The path template of the operation, under the base path. */
  readonly route: string | undefined
  readonly status: number | undefined
  /** The `code` of the Error object that was answered. */
  readonly code: string | undefined
  readonly milliseconds: number
  /** Names the key of the caller; it says nothing of the key itself. */
  readonly keyId: string | undefined
  readonly traceId: string | undefined
}

const answered = 'answered'
const left = 'the caller left before the answer'

/** Makes what writes a line for each request; probes, which come every second, are for debugging. */
export function logRequests(log: Logger, basePath: string): RequestObserver {
  return function watch({ method }, response) {
    return function tell({ status, milliseconds }) {
      // An overload is logged as one.
      if (response.locals.isShed) return
      const { requestId, path, operation, traceId } = response.locals
      const { callerId: keyId, errorCode: code } = response.locals
      const line: RequestLine = {
        requestId,
        method,
        path: shorten(withoutApiKeys(path)),
        operationId: operation?.operationId,
        route: operation && basePath + operation.path,
        status,
        code,
        milliseconds: Math.round(milliseconds * 1000) / 1000,
        keyId,
        traceId,
      }
      log[isProbe(path) ? 'debug' : 'info'](line, status === undefined ? left : answered)
    }
  }
}
