import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { type ExportResult, ExportResultCode, parseTraceParent } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { RequestHandler, Response } from 'express'
import type { Logger } from 'pino'
import { withoutApiKeys } from '../auth/api-key.ts'
import type { Config } from '../config.ts'
import { reasonOf } from '../reason.ts'
import type { Store } from '../store/store.ts'
import { isProbe } from './health.ts'

/** Milliseconds that sending a batch may take. */
const exportTimeout = 3_000

/** The methods that are in the name of a span; clients can make up others. */
const methods = new Set('GET HEAD POST PUT DELETE CONNECT OPTIONS TRACE PATCH QUERY'.split(' '))

export interface TracingOptions {
  readonly config: Pick<Config, 'tracesEndpoint' | 'tracesShare' | 'serviceName' | 'databaseUrl'>
  readonly version: string
  readonly basePath: string
  readonly log: Logger
}

/** Traces of requests and of their use of the store (OpenTelemetry), sent by OTLP over HTTP. */
export class Tracing {
  readonly #options: TracingOptions
  readonly #provider: TracerProvider
  readonly #tracer: Tracer
  /** The span of the request that is being processed. */
  readonly #current = new AsyncLocalStorage<Context>()

  constructor(options: TracingOptions) {
    const { config, version, log } = options
    this.#options = options
    const service = { 'service.name': config.serviceName, 'service.version': version }
    const detectors = [serviceInstanceIdDetector, envDetector]
    const exporter = new LoggedExporter(config.tracesEndpoint, log)
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes(service).merge(detectResources({ detectors })),
      // The client's decision comes first: a trace with holes is of no use.
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(config.tracesShare) }),
      spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: exportTimeout })],
    })
    this.#tracer = this.#provider.getTracer('animal-store', version)
  }

  /** Makes a span of each request, in its client's trace if it sends a `traceparent`. */
  readonly middleware: RequestHandler = (request, response, next) => {
    const { locals } = response
    if (isProbe(locals.path)) return next()
    const sent = request.headers['traceparent']
    const remote = typeof sent === 'string' ? parseTraceParent(sent) : null
    // The `tracestate` is left out: the service calls no others, and it may hold anything.
    const parent =
      remote === null
        ? ROOT_CONTEXT
        : trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true })
    const isKnown = methods.has(request.method)
    const verb = isKnown ? request.method : 'HTTP'
    const attributes: Attributes = {
      'http.request.method': isKnown ? request.method : '_OTHER',
      ...(isKnown ? {} : { 'http.request.method_original': request.method }),
      // Without the query, which may hold anything.
      'url.path': withoutApiKeys(locals.path),
      'url.scheme': request.protocol,
      'animal_store.request_id': locals.requestId,
    }
    const span = this.#tracer.startSpan(verb, { kind: SpanKind.SERVER, attributes }, parent)
    locals.traceId = span.spanContext().traceId
    if (!span.isRecording()) return next()
    response.once('close', () => {
      const { operation } = locals
      if (operation !== undefined) {
        const route = this.#options.basePath + operation.path
        span.updateName(`${verb} ${route}`)
        const { operationId } = operation
        span.setAttributes({ 'http.route': route, 'animal_store.operation_id': operationId })
      }
      span.setAttributes(outcomeOf(response))
      if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    })
    this.#current.run(trace.setSpan(parent, span), next)
  }

  /** Returns a store whose use by a request is a span below that of the request. */
  traceStore(store: Store): Store {
    const { pets, keys } = store
    return {
      ...store,
      pets: {
        ...pets,
        add: this.#traceWork('animals', 'add', pets.add),
        find: this.#traceWork('animals', 'find', pets.find),
        page: this.#traceWork('animals', 'page', pets.page),
      },
      keys: { ...keys, findByDigest: this.#traceWork('keys', 'find', keys.findByDigest) },
    }
  }

  /** Sends the spans that are not sent yet, within so many milliseconds. */
  async close(milliseconds: number): Promise<void> {
    const sent = new AbortController()
    const late = wait(milliseconds, undefined, { signal: sent.signal }).catch(() => undefined)
    // The exporter has logged what it could not send.
    await Promise.race([this.#provider.shutdown().catch(() => undefined), late])
    sent.abort()
  }

  #traceWork<Values extends unknown[], Result>(
    collection: string,
    operation: string,
    work: (...values: Values) => Promise<Result>,
  ) {
    const { databaseUrl } = this.#options.config
    const attributes = {
      'db.system.name': databaseUrl.startsWith('sqlite:') ? 'sqlite' : 'postgresql',
      'db.collection.name': collection,
      'db.operation.name': operation,
    }
    return async (...values: Values): Promise<Result> => {
      const parent = this.#current.getStore()
      if (parent === undefined) return work(...values)
      const options = { kind: SpanKind.CLIENT, attributes }
      const span = this.#tracer.startSpan(`${operation} ${collection}`, options, parent)
      try {
        return await work(...values)
      } catch (error) {
        span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown')
        span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    }
  }
}

function outcomeOf({ locals, statusCode, writableFinished }: Response): Attributes {
  const { callerId, errorCode } = locals
  const attributes: Attributes = {}
  if (callerId !== undefined) attributes['animal_store.key_id'] = callerId
  if (errorCode !== undefined) attributes['animal_store.error_code'] = errorCode
  if (!writableFinished) return { ...attributes, 'error.type': 'caller_gone' }
  attributes['http.response.status_code'] = statusCode
  if (statusCode >= 500) attributes['error.type'] = `${statusCode}`
  return attributes
}

/** Sends spans to a collector; logs once when it is away, and once when it is back. */
class LoggedExporter extends OTLPTraceExporter {
  readonly #log: Logger
  readonly #collector: string
  #isAway = false

  constructor(endpoint: string, log: Logger) {
    super({ url: `${endpoint.replace(/\/$/, '')}/v1/traces`, timeoutMillis: exportTimeout })
    // Without the credentials and the path, which may hold a token.
    const { protocol, host } = new URL(endpoint)
    this.#collector = `${protocol}//${host}`
    this.#log = log
  }

  override export(spans: ReadableSpan[], settle: (result: ExportResult) => void): void {
    super.export(spans, (result) => {
      this.#note(result)
      settle(result)
    })
  }

  #note({ code, error }: ExportResult): void {
    const collector = this.#collector
    const isAway = code !== ExportResultCode.SUCCESS
    const action = 'check OTEL_EXPORTER_OTLP_ENDPOINT and the collector'
    const reason = reasonOf(error ?? 'no reason given')
    if (isAway && !this.#isAway) {
      this.#log.warn({ collector, reason, action }, 'tracing: spans cannot be sent and are dropped')
    } else if (!isAway && this.#isAway) {
      this.#log.info({ collector }, 'tracing: spans are sent again')
    }
    this.#isAway = isAway
  }
}
