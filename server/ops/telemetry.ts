import type { RequestHandler, Response } from 'express'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { shorten } from '../contract/errors.ts'
import { streamStarted } from '../http/open-streams.ts'
import { withoutApiKeys } from '../security/api-key.ts'
import type { MetricSources } from './metrics.ts'
import { openOpsServer } from './ops-server.ts'

/** A request that has ended. */
export interface EndedRequest {
  readonly method: string
  /** Undefined when the connection was closed before the response was sent, or the headers of a stream were. */
  readonly status: number | undefined
  /** From the start of the request until the response was sent, or the client was gone. */
  readonly milliseconds: number
  /** From the start of the request until the headers of a stream were sent; absent for other responses. */
  readonly millisecondsToStream?: number | undefined
  /** Whether the connection was closed before all of a stream was sent. */
  readonly isStreamAborted?: boolean
  readonly locals: Express.Locals
}

/** Is called when a request ends. */
export type RequestObserver = (ended: EndedRequest) => void

/**
 * Opens the access log, the metrics and the server for operators, as configured; `middleware` observes
 * every request. Rejects with an `OperatorError` if the port for operators is taken.
 */
export async function openTelemetry(
  config: Config,
  basePath: string,
  sources: MetricSources,
  log: Logger,
  onEnd?: RequestObserver,
) {
  const observers = onEnd === undefined ? [] : [onEnd]
  if (log.isLevelEnabled('info')) {
    observers.push(createAccessLog(log, basePath))
  }
  if (config.opsPort === 'off') {
    return { middleware: observe(observers), metricsUrl: undefined, close: async () => undefined }
  }
  const { Metrics } = await import('./metrics.ts')
  const metrics = new Metrics(sources)
  observers.push((ended) => metrics.end(ended))
  const opsServer = await openOpsServer(config.opsHost, config.opsPort, () => metrics.text())
  return { middleware: observe(observers), ...opsServer }
}

function observe(observers: readonly RequestObserver[]): RequestHandler {
  return function observeRequest({ method }, response, next) {
    const startedAt = performance.now()
    let millisecondsToStream: number | undefined
    response.once(streamStarted, () => {
      millisecondsToStream = performance.now() - startedAt
    })
    response.on('close', () => {
      const { locals, writableFinished } = response
      const ended = {
        method,
        status: sentStatus(response),
        milliseconds: performance.now() - startedAt,
        millisecondsToStream,
        isStreamAborted: millisecondsToStream !== undefined && !writableFinished,
        locals,
      }
      for (const observer of observers) {
        observer(ended)
      }
    })
    next()
  }
}

/** Returns the status that a client got; undefined if it got none. */
export function sentStatus({
  writableFinished,
  statusCode,
  locals,
}: Pick<Response, 'writableFinished' | 'statusCode' | 'locals'>): number | undefined {
  const isSent = writableFinished || locals.streamedBytes !== undefined
  return isSent ? statusCode : locals.statusOnSocket
}

/** Returns the observer that logs a line for each request; health checks are logged at `debug`. */
export function createAccessLog(log: Logger, basePath: string): RequestObserver {
  return function logRequest({ method, status, milliseconds, isStreamAborted, locals }) {
    // Load shedding logs its rejections in a few lines.
    if (locals.rejectedBy === 'overload') {
      return
    }
    const {
      requestId,
      operation,
      errorCode: code,
      caller,
      traceId,
      streamedBytes,
      abortedBy,
    } = locals
    const line = {
      requestId,
      method,
      // Without the query, which may hold anything. Keys are redacted first: a part of a key is not recognised.
      path: shorten(withoutApiKeys(locals.path)),
      operationId: operation?.operationId,
      route: operation && basePath + operation.path,
      status,
      code,
      milliseconds: Math.round(milliseconds * 1000) / 1000,
      bytes: streamedBytes,
      abortedBy,
      keyId: caller?.id,
      traceId,
    }
    const isAborted = status === undefined || isStreamAborted === true
    const message = isAborted ? 'request aborted' : 'request completed'
    log[locals.isProbe ? 'debug' : 'info'](line, message)
  }
}
