import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import {
  type Context,
  DiagLogLevel,
  defaultTextMapGetter,
  defaultTextMapSetter,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import {
  globalErrorHandler,
  setGlobalErrorHandler,
  W3CTraceContextPropagator,
} from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { RequestHandler, Response } from 'express'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { apiName } from '../process/names.ts'
import { reasonOf } from '../process/operator-error.ts'
import { ThrottledLog } from '../process/throttled-log.ts'
import { withoutApiKeys } from '../security/api-key.ts'
import type { Api } from '../served-api.ts'
import type { Dialect, Engine, Query } from '../store/engine.ts'
import { createStore, type Store } from '../store/store.ts'
import { sentStatus } from './telemetry.ts'

/** Milliseconds that sending a batch may take. */
const exportTimeout = 3_000

const propagator = new W3CTraceContextPropagator()

/** Traces of requests and of their use of the store (OpenTelemetry), sent by OTLP over HTTP. */
export class Tracing {
  readonly #basePath: string
  readonly #provider: TracerProvider
  readonly #tracer: Tracer
  readonly #failureLog: ThrottledLog
  /** The span of the request that is being processed. */
  readonly #current = new AsyncLocalStorage<Context>()

  constructor(config: Config, { version, basePath }: Api, log: Logger) {
    this.#basePath = basePath
    this.#failureLog = logFailures(config.tracesEndpoint, log)

    const endpoint = config.tracesEndpoint.replace(/\/$/, '')
    const url = `${endpoint}/v1/traces`
    const exporter = new OTLPTraceExporter({ url, timeoutMillis: exportTimeout })
    const sampler = new TraceIdRatioBasedSampler(config.tracesShare)
    this.#provider = new TracerProvider({
      resource: describeService(config.serviceName, version),
      // The client's decision comes first: a trace with holes is of no use.
      sampler: new ParentBasedSampler({ root: sampler }),
      spanProcessors: [new BatchSpanProcessor({ exporter })],
    })
    this.#tracer = this.#provider.getTracer(apiName, version)
  }

  /** Creates a span for each request, in its client's trace if the client sends a `traceparent`. */
  readonly middleware: RequestHandler = (request, response, next) => {
    const { locals } = response
    if (locals.isProbe) {
      return next()
    }

    // The `tracestate` may hold anything, and the service itself does not need it.
    const { traceparent } = request.headers
    const parent = propagator.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter)
    const { method, protocol } = request
    const span = this.#tracer.startSpan(method, { kind: SpanKind.SERVER }, parent)
    const context = trace.setSpan(parent, span)

    locals.traceId = span.spanContext().traceId
    const ownTrace: { traceparent?: string } = {}
    propagator.inject(context, ownTrace, defaultTextMapSetter)
    Object.assign(locals, ownTrace)

    if (!span.isRecording()) {
      return next()
    }
    response.once('close', () => this.#endSpan(span, response, method, protocol))
    this.#current.run(context, next)
  }

  /** Ends the span of a request whose response is over, with what is known of both. */
  #endSpan(span: Span, response: Response, method: string, protocol: string): void {
    const { locals } = response
    const { operation } = locals
    const route = operation && this.#basePath + operation.path
    if (route !== undefined) {
      span.updateName(`${method} ${route}`)
    }

    const status = sentStatus(response)
    const isError = status !== undefined && status >= 500
    const errorStatus = isError ? String(status) : undefined
    span.setAttributes({
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
      // The query may hold anything.
      'url.path': withoutApiKeys(locals.path),
      // A proxy may pass on any text in `X-Forwarded-Proto`.
      'url.scheme': protocol === 'https' ? 'https' : 'http',
      'error.type': status === undefined ? 'caller_gone' : errorStatus,
      'api.operation_id': operation?.operationId,
      'api.request_id': locals.requestId,
      'api.key_id': locals.caller?.id,
      'api.error_code': locals.errorCode,
    })
    if (isError) {
      span.setStatus({ code: SpanStatusCode.ERROR })
    }
    span.end()
  }

  /** Returns a store whose use by a request is a span below that of the request. */
  traceStore({ database, secret }: Store): Store {
    const { engine } = database.dialect
    const tracedDatabase: Engine = {
      ...database,
      read: (...query) => this.#traceQuery(engine, query, () => database.read(...query)),
      write: (...queries) => {
        const [firstQuery] = queries
        return this.#traceQuery(engine, firstQuery, () => database.write(...queries))
      },
    }
    return createStore(tracedDatabase, secret)
  }

  /** Sends the spans that are not sent yet; waits at most for so many milliseconds. */
  async close(milliseconds: number): Promise<void> {
    const shutdown = this.#provider.shutdown().catch(globalErrorHandler)
    await Promise.race([shutdown, wait(milliseconds, undefined, { ref: false })])
    diag.disable()
    this.#failureLog.stop()
  }

  /** Runs a query; it is a span below that of the request that is being processed, if there is one. */
  async #traceQuery<Result>(
    engine: Dialect['engine'],
    [sql]: Query,
    run: () => Promise<Result>,
  ): Promise<Result> {
    const parent = this.#current.getStore()
    if (parent === undefined) {
      return run()
    }

    const { operation, collection } = summarize(sql)
    const attributes = {
      'db.system.name': engine,
      'db.collection.name': collection,
      'db.operation.name': operation,
    }
    const options = { kind: SpanKind.CLIENT, attributes }
    const span = this.#tracer.startSpan(`${operation} ${collection}`, options, parent)

    try {
      return await run()
    } catch (error) {
      span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown')
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  }
}

/** Returns the resource that all spans have: the service, its version, its instance, and the environment. */
function describeService(name: string, version: string) {
  const service = { 'service.name': name, 'service.version': version }
  const detectors = [serviceInstanceIdDetector, envDetector]
  return defaultResource()
    .merge(resourceFromAttributes(service))
    .merge(detectResources({ detectors }))
}

/** Returns the operation of a statement, and the first table that it names. */
function summarize(sql: string) {
  const [operation = 'SQL'] = /\b(?:SELECT|INSERT|REPLACE|UPDATE|DELETE)\b/.exec(sql) ?? []
  const [, collection = ''] = /\b(?:INTO|FROM|UPDATE)\s+(\w+)/.exec(sql) ?? []
  return { operation, collection }
}

/** Logs what the SDK of OpenTelemetry reports of spans that it cannot send to a collector. */
function logFailures(endpoint: string, log: Logger): ThrottledLog {
  const failures = new ThrottledLog(log, {
    startMessage: 'tracing: spans cannot be sent and are dropped',
    endMessage: 'tracing: no more failures',
    action: 'check OTEL_EXPORTER_OTLP_ENDPOINT and the collector',
  })
  // The credentials and the path of the URL may hold a token, and are not logged.
  const { protocol, host } = new URL(endpoint)
  const collector = `${protocol}//${host}`
  setGlobalErrorHandler((error) => failures.record({ collector, reason: reasonOf(error) }))

  // The SDK reports full queues, and spans that the collector rejects, as warnings alone.
  const warn = (...texts: unknown[]) => failures.record({ collector, reason: texts.join(' ') })
  const ignore = () => undefined
  diag.setLogger(
    { warn, error: ignore, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  return failures
}
