import type { Logger } from 'pino'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import type { Contract } from './contract/contract.ts'
import { type CallableHandler, sampled } from './contract/handler.ts'
import { describeService } from './contract/served-description.ts'
import { readBundled } from './description/description-reader.ts'
import type { JsonObject } from './description/json.ts'
import { createDocsPages } from './docs/docs.ts'
import { HttpServer } from './http/http-server.ts'
import { createHealthPages } from './ops/health.ts'
import { LoadShedding } from './ops/load-shedding.ts'
import { openTelemetry, type RequestObserver } from './ops/telemetry.ts'
import { OperatorError } from './process/operator-error.ts'
import { ThrottledLog } from './process/throttled-log.ts'
import type { CheckKey } from './security/api-key-authenticator.ts'
import { authentication } from './security/authenticate.ts'
import { createBuiltIns } from './security/authenticators.ts'
import { acceptDevelopmentKey } from './security/development-key.ts'
import { KeyCache } from './security/key-cache.ts'
import { openLimits } from './security/rate-limits.ts'
import type { RedisCounting } from './security/redis-rate-limiter.ts'
import { createUsageCounter } from './security/usage-counter.ts'
import { type Api, readServedApi } from './served-api.ts'
import { assertOwnResponses } from './start-up/own-responses-check.ts'
import { assertAuthenticated, assertServable } from './start-up/servable.ts'
import type { Store } from './store/store.ts'

export interface ServiceOptions {
  /** The API to serve, if it is not the one of this project. */
  readonly api?: Api
  /** Creates the handlers of operations that have none. */
  readonly createMock?: (contract: Contract) => Readonly<Record<string, CallableHandler>>
  /** Checks API keys, if not those of the store are valid. */
  readonly keyCache?: CheckKey
  readonly redisCounting?: RedisCounting
  /** Called at the end of every request. */
  readonly onRequest?: RequestObserver
}

/** A service that listens. */
export interface Service {
  /** Such as `http://127.0.0.1:3000`. */
  readonly origin: string
  /** Absent where there are no metrics. */
  readonly metricsUrl?: string | undefined
  /**
   * Stops the service within the grace: running requests are finished, and so are those that follow
   * each other within `quietPeriod` milliseconds.
   */
  readonly stop: (quietPeriod?: number) => Promise<void>
}

/** Starts the service on a store; rejects if the contract cannot be served or the port is taken. */
export async function startService(
  config: Config,
  store: Store,
  log: Logger,
  { api = readServedApi(), keyCache, redisCounting, onRequest, ...options }: ServiceOptions = {},
): Promise<Service> {
  const { operations, basePath, version } = api
  const stopping = new AbortController()
  let quietPeriod = 0
  let deadline = 0
  // The last one that was opened is closed first.
  await using opened = new AsyncDisposableStack()
  // OpenTelemetry is loaded only where traces are sent.
  const { Tracing } = config.tracesEndpoint === '' ? {} : await import('./ops/tracing.ts')
  const tracing = Tracing && new Tracing(config, api, log)
  opened.defer(() => tracing?.close(Math.max(0, deadline - performance.now())))
  const traced = tracing?.traceStore(store) ?? store
  const usage = createUsageCounter(store.usage, log)
  opened.defer(usage.stop)
  const limits = await openLimits(config, log, redisCounting)
  opened.defer(() => limits?.redis?.close())
  const { idempotencyHours } = config
  const written = api.createHandlers({ store: traced, idempotencyHours })
  const createMock = options.createMock ?? (await mockOf(written, config, log))
  const ownHandlers = withoutSampled(written)
  const mocked = Object.values(operations).filter(
    ({ operationId, unserved }) =>
      unserved === undefined && !Object.hasOwn(ownHandlers, operationId),
  )
  const describe = (document: JsonObject) =>
    describeService(document, { rateLimits: config.rateLimits, mocked })
  const served = describe(api.description)
  const contract = { description: readBundled(served), operations, basePath }
  const handlers = { ...createMock?.(contract), ...ownHandlers }
  const keys = keyCache ?? new KeyCache(traced.keys)
  const parts = { store: traced, keys, plans: api.plans, settings: config, log }
  const ownAuthenticators = api.createAuthenticators(createBuiltIns(contract.description, parts))
  const authenticators = config.isProduction
    ? ownAuthenticators
    : acceptDevelopmentKey(ownAuthenticators, keys)
  assertServable(contract, handlers)
  assertAuthenticated(contract.description, authenticators)
  assertOwnResponses(contract, authenticators, config.rateLimits)
  const loadShedding = new LoadShedding(config, log)
  opened.defer(() => loadShedding.stop())
  const storeErrorLog = new ThrottledLog(log, {
    level: 'error',
    startMessage: 'store unavailable',
    endMessage: 'store: no more failures',
  })
  opened.defer(() => storeErrorLog.stop())
  const server = new HttpServer(config, log)
  const sources = {
    version,
    operationIds: Object.keys(operations),
    loadShedding,
    server,
    database: store.connections,
    redis: limits?.redis,
    maxConnections: config.connections.most,
  }
  // The server for operators is opened first: without it the service must not listen.
  const telemetry = await openTelemetry(config, basePath, sources, log, onRequest)
  opened.defer(telemetry.close)
  const app = createApp({
    config,
    contract,
    handlers,
    loadShedding,
    storeErrorLog,
    log,
    isMocked: createMock !== undefined,
    stopping: stopping.signal,
    authenticate: authentication({
      description: contract.description,
      operations: Object.values(operations),
      authenticators,
      usage,
      limits,
    }),
    pages: {
      ...createDocsPages(api, served, describe),
      ...createHealthPages(store, stopping.signal),
    },
    telemetry: telemetry.middleware,
    trace: tracing?.middleware,
  })
  const origin = await server.listen(app)
  opened.defer(() => server.close(quietPeriod))
  const running = opened.move()
  return {
    origin,
    metricsUrl: telemetry.metricsUrl,
    async stop(pause = 0) {
      stopping.abort()
      quietPeriod = pause
      deadline = performance.now() + config.shutdownGraceSeconds * 1000
      await running.disposeAsync()
    },
  }
}

/**
 * Returns the function that creates a mock, if operations have no handler yet; throws an `OperatorError`
 * if samples are off.
 */
async function mockOf(
  handlers: ReturnType<Api['createHandlers']>,
  { samples }: Config,
  log: Logger,
): Promise<ServiceOptions['createMock']> {
  const sampledIds = Object.keys(handlers).filter((id) => handlers[id] === sampled)
  if (sampledIds.length === 0) {
    return undefined
  }
  if (!samples) {
    const advice = 'Write their handlers, or set SAMPLES=on to respond with samples.'
    throw new OperatorError(`Operations without a handler: ${sampledIds.join(', ')}. ${advice}`)
  }
  log.warn({ operations: sampledIds }, 'operations without a handler: sending samples')
  return (await import('./mock/mock.ts')).createMock
}

function withoutSampled(handlers: ReturnType<Api['createHandlers']>) {
  const written = Object.entries(handlers).filter(([, handler]) => handler !== sampled)
  // Each takes the input of its operation, which is validated before it is called.
  return Object.fromEntries(written as [string, CallableHandler][])
}
