import type { Logger } from 'pino'
import { type Api, readServedApi } from './api.ts'
import { createApp } from './app.ts'
import { createAuthenticate, createKeyCache, type KeyCache } from './auth/authenticate.ts'
import { type OpenLimits, openLimits, type RedisCounting } from './auth/rate-limits.ts'
import { createUsageCounter, type UsageCounter } from './auth/usage-counter.ts'
import type { Config } from './config.ts'
import type { Description } from './contract/description.ts'
import type { AnyHandler } from './contract/handler.ts'
import type { Mock } from './contract/routes.ts'
import { assertServable } from './contract/start-up-checks.ts'
import { createDocsPages } from './docs/docs.ts'
import { HttpServer } from './http-server.ts'
import { createHealthPages } from './ops/health.ts'
import { LoadShedding } from './ops/load-shedding.ts'
import { type RequestReport, reportRequests } from './ops/request-observer.ts'
import { openTelemetry } from './ops/telemetry.ts'
import type { Tracing } from './ops/tracing.ts'
import type { Store } from './store/store.ts'

/** What the application depends on. */
export interface ServiceDependencies {
  readonly handlers: Readonly<Record<string, AnyHandler>>
  readonly keyCache: KeyCache
  readonly usage: UsageCounter
  readonly limits: OpenLimits
  readonly store: Pick<Store, 'ping' | 'connections'>
  readonly tracing?: Tracing | undefined
}

export interface ServiceOptions {
  /** The API to serve, if it is not the one of this project. */
  readonly api?: Api
  readonly redisCounting?: RedisCounting
  /** Creates the mock that responds for operations without a handler. */
  readonly createStandIn?: (description: Description) => Mock
  /** Called at the end of every request to the API. */
  readonly onRequest?: (report: RequestReport) => void
}

/** A service that listens. */
export interface Service {
  /** Such as `http://127.0.0.1:3000`. */
  readonly origin: string
  /** Absent where there are no metrics. */
  readonly metricsUrl?: string
  /**
   * Stops the service within the grace: running requests are finished, and so are those that follow
   * each other within `lull` milliseconds.
   */
  readonly stop: (lull?: number) => Promise<void>
}

/** Starts the service on a store; rejects if the contract cannot be served or the port is taken. */
export async function startService(
  config: Config,
  store: Store,
  log: Logger,
  options: ServiceOptions = {},
): Promise<Service> {
  const { api = readServedApi() } = options
  await using opened = new AsyncDisposableStack()
  const usage = createUsageCounter(store.usage, (err, left) =>
    log.warn({ err }, left === 'kept' ? 'usage: cannot be written, retrying' : 'usage: lost'),
  )
  opened.defer(usage.stop)
  const tracing = await openTracing(config, api, log)
  opened.defer(async () => tracing?.close(0))
  const traced = tracing?.traceStore(store) ?? store
  const handlers = api.createHandlers({ store: traced, idempotencyHours: config.idempotencyHours })
  const limits = await openLimits(config, log, options.redisCounting)
  opened.defer(limits.close)
  const keyCache = createKeyCache(traced.keys)
  const dependencies = { handlers, keyCache, usage, limits, store, tracing }
  const service = await serve(config, dependencies, log, { ...options, api })
  // From here on the service closes them.
  opened.move()
  return service
}

/** Starts the service on given dependencies, such as those of a mock. */
export async function serve(
  config: Config,
  dependencies: ServiceDependencies,
  log: Logger,
  { api = readServedApi(), createStandIn, onRequest }: ServiceOptions = {},
): Promise<Service> {
  const { handlers, keyCache, usage, limits, store, tracing } = dependencies
  const { description, operations, basePath, version } = api
  const mock = createStandIn?.(description)
  assertServable({
    ...{ description, operations, handlers },
    isMocked: mock !== undefined,
    authenticates: { apiKey: { type: 'http', scheme: 'bearer' } },
  })
  await using opened = new AsyncDisposableStack()
  const loadShedding = new LoadShedding(config, log)
  let server: HttpServer | undefined
  // The server for operators is opened first: without it the service must not listen.
  const sources = {
    ...{ version, operationIds: Object.keys(operations) },
    load: () => loadShedding.load(),
    connections: () => server?.counts(),
    ...{ database: store.connections, redis: limits.shared },
  }
  const telemetry = await openTelemetry(config, log, sources, basePath)
  opened.defer(telemetry.close)
  const { onRejected, metricsUrl } = telemetry
  let hasToStop = false
  const isDraining = () => hasToStop
  const health = createHealthPages({ store, isDraining })
  const app = createApp({
    ...{ config, api, handlers, mock, log, isDraining, loadShedding },
    authenticate: createAuthenticate({ keyCache, usage, onRejected, limits: limits.limits }),
    pages: { ...createDocsPages(description, api.referencePage), ...health },
    observers: [...telemetry.observers, ...(onRequest ? [reportRequests(onRequest)] : [])],
    trace: tracing?.middleware,
  })
  server = new HttpServer(app, config, log)
  const origin = await server.listen()
  opened.move()
  return {
    origin,
    ...(metricsUrl === undefined ? {} : { metricsUrl }),
    async stop(lull = 0) {
      hasToStop = true
      const deadline = performance.now() + config.shutdownGraceSeconds * 1000
      await server?.close(lull)
      loadShedding.stop()
      await usage.stop()
      await limits.close()
      await telemetry.close()
      await tracing?.close(Math.max(0, deadline - performance.now()))
    },
  }
}

// OpenTelemetry is loaded only where traces are sent.
async function openTracing(
  config: Config,
  { version, basePath }: Api,
  log: Logger,
): Promise<Tracing | undefined> {
  if (config.tracesEndpoint === '') return undefined
  const { Tracing } = await import('./ops/tracing.ts')
  return new Tracing({ config, version, basePath, log })
}
