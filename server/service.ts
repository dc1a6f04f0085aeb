import type { Logger } from 'pino'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import type { Contract } from './contract/contract.ts'
import { ErrorResponses } from './contract/error-responses.ts'
import { type CallableHandler, sampled } from './contract/handler.ts'
import { describeService } from './contract/served-description.ts'
import { readBundled } from './description/description-reader.ts'
import type { JsonObject } from './description/json.ts'
import { pagePrefixOf } from './description/platform-paths.ts'
import { requestSettingsOf } from './description/settings.ts'
import { createDocsPages } from './docs/docs.ts'
import { HttpServer } from './http/http-server.ts'
import { createHealthPages, type ReadinessCheck } from './ops/health.ts'
import { LoadShedding } from './ops/load-shedding.ts'
import { openTelemetry, type RequestObserver } from './ops/telemetry.ts'
import { OperatorError } from './process/operator-error.ts'
import { ThrottledLog } from './process/throttled-log.ts'
import type { CheckKey } from './security/api-key-authenticator.ts'
import { authentication } from './security/authenticate.ts'
import { openAuthenticators } from './security/authenticators.ts'
import { acceptDevelopmentKey } from './security/development-key.ts'
import { KeyCache } from './security/key-cache.ts'
import { openLimits } from './security/rate-limits.ts'
import type { RedisCounting } from './security/redis-rate-limiter.ts'
import { createUsageCounter } from './security/usage-counter.ts'
import { type Api, readServedApi } from './served-api.ts'
import { assertOwnResponses } from './start-up/own-responses-check.ts'
import { assertAuthenticated, assertServable } from './start-up/servable.ts'
import type { Store } from './store/store.ts'
import type { Upstream } from './upstream/upstream.ts'

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
  /** The operations without a handler of the API, by operationId. */
  readonly unimplemented: ReadonlySet<string>
  /**
   * Stops the service within the grace: running requests are finished, and so are those that follow
   * each other within `quietPeriod` milliseconds.
   */
  readonly stop: (quietPeriod?: number) => Promise<void>
}

/** Error responses that the log lists at the start. */
const mostDiffering = 10

/** Starts the service on a store; rejects if the contract cannot be served or the port is taken. */
export async function startService(
  config: Config,
  store: Store,
  log: Logger,
  { api = readServedApi(), keyCache, redisCounting, onRequest, ...options }: ServiceOptions = {},
): Promise<Service> {
  const { operations, basePath, settings, version } = api
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
  const readinessChecks: ReadinessCheck[] = []
  const written = await api.createHandlers({
    store: traced,
    idempotencyHours: config.idempotencyHours,
    closeOnStop: (close) => opened.defer(async () => void (await close())),
    addReadinessCheck: (check) => void readinessChecks.push(check),
  })
  const ownHandlers = withoutSampled(written)
  const forwarded = forwardedIds(written, operations, config)
  const createMock = options.createMock ?? (await mockOf(written, config, log))
  const unimplemented = Object.values(operations).filter(
    ({ operationId }) => !Object.hasOwn(ownHandlers, operationId),
  )
  const mocked = unimplemented.filter(
    ({ operationId, unserved }) => unserved === undefined && !forwarded.has(operationId),
  )
  const describe = (document: JsonObject) =>
    describeService(document, {
      rateLimits: config.rateLimits,
      mocked,
      isForwarding: forwarded.size > 0,
    })
  const served = describe(api.description)
  const contract = { description: readBundled(served), operations, basePath, settings }
  const handlers = { ...createMock?.(contract), ...ownHandlers }
  const upstream = await openUpstream(config, contract, forwarded, stopping.signal, log)
  opened.defer(() => upstream?.close())
  const keys = keyCache ?? new KeyCache(traced.keys)
  const parts = { store: traced, keys, plans: api.plans, settings: config, log }
  const ownAuthenticators = openAuthenticators(
    api.createAuthenticators,
    contract.description,
    parts,
  )
  const authenticators = config.isProduction
    ? ownAuthenticators
    : acceptDevelopmentKey(ownAuthenticators, keys)
  assertServable(contract, { ...written, ...handlers })
  assertAuthenticated(contract.description, authenticators)
  const { errorFormat } = api
  const { rateLimits } = config
  const differing = assertOwnResponses({ contract, errorFormat, texts: authenticators, rateLimits })
  if (differing.length > 0) {
    const shown = differing.slice(0, mostDiffering)
    log.warn(
      { count: differing.length, shown },
      'error responses: sent as declared, not in the format',
    )
  }
  const loadShedding = new LoadShedding(config, log)
  opened.defer(() => loadShedding.stop())
  const storeErrorLog = new ThrottledLog(log, {
    level: 'error',
    startMessage: 'store unavailable',
    endMessage: 'store: no more failures',
  })
  opened.defer(() => storeErrorLog.stop())
  const errors = new ErrorResponses(contract.description, errorFormat)
  const server = new HttpServer(config, errors, log)
  const sources = {
    version,
    operationIds: Object.keys(operations),
    ignoresParameters: requestSettingsOf(settings).unknownQueryParameters === 'ignore',
    loadShedding,
    server,
    database: store.connections,
    redis: limits?.redis,
    upstream,
    maxConnections: config.connections.most,
  }
  // The server for operators is opened first: without it the service must not listen.
  const telemetry = await openTelemetry(config, basePath, sources, log, onRequest)
  opened.defer(telemetry.close)
  const app = createApp({
    config,
    contract,
    errors,
    handlers,
    loadShedding,
    upstream,
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
      corsOrigins: config.corsOrigins,
    }),
    pages: {
      ...createDocsPages(api, served, describe),
      ...createHealthPages(store, stopping.signal, pagePrefixOf(settings), readinessChecks),
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
    unimplemented: new Set(unimplemented.map(({ operationId }) => operationId)),
    async stop(pause = 0) {
      stopping.abort()
      quietPeriod = pause
      deadline = performance.now() + config.shutdownGraceSeconds * 1000
      await running.disposeAsync()
    },
  }
}

type WrittenHandlers = Awaited<ReturnType<Api['createHandlers']>>

/** Returns the operations without a handler; the mock or the upstream responds to them. */
function sampledIds(handlers: WrittenHandlers): readonly string[] {
  return Object.keys(handlers).filter((id) => handlers[id] === sampled)
}

/**
 * Returns the operations that the upstream implements, if there is one: those without a handler, also where
 * the platform does not serve them. TRACE shows fields that proxies have added, so it is never forwarded.
 */
function forwardedIds(
  handlers: WrittenHandlers,
  operations: Api['operations'],
  { upstream }: Config,
): ReadonlySet<string> {
  if (upstream.url === '') {
    return new Set()
  }
  const unserved = Object.values(operations).filter((operation) => {
    return operation.unserved !== undefined && operation.method !== 'trace'
  })
  return new Set([...sampledIds(handlers), ...unserved.map(({ operationId }) => operationId)])
}

/**
 * Returns the function that creates a mock, if operations have no handler yet; throws an `OperatorError`
 * if samples are off.
 */
async function mockOf(
  handlers: WrittenHandlers,
  { samples, upstream }: Config,
  log: Logger,
): Promise<ServiceOptions['createMock']> {
  const ids = sampledIds(handlers)
  if (ids.length === 0 || upstream.url !== '') {
    return undefined
  }
  if (!samples) {
    const advice =
      'Write their handlers, or set SAMPLES=on to respond with samples, or UPSTREAM_URL to forward to a service that has them.'
    throw new OperatorError(`Operations without a handler: ${ids.join(', ')}. ${advice}`)
  }
  log.warn({ operations: ids }, 'operations without a handler: sending samples')
  return (await import('./mock/mock.ts')).createMock
}

/** Opens the connections to the upstream, if there is one; its code is loaded only then. */
async function openUpstream(
  config: Config,
  contract: Contract,
  operationIds: ReadonlySet<string>,
  stopping: AbortSignal,
  log: Logger,
): Promise<Upstream | undefined> {
  if (config.upstream.url === '') {
    return undefined
  }
  const { Upstream } = await import('./upstream/upstream.ts')
  const operations = [...operationIds]
  log.info({ operations }, 'operations without a handler: forwarding to UPSTREAM_URL')
  return new Upstream({ config, contract, operationIds, stopping, log })
}

function withoutSampled(handlers: WrittenHandlers) {
  const written = Object.entries(handlers).filter(([, handler]) => handler !== sampled)
  // Each takes the input of its operation, which is validated before it is called.
  return Object.fromEntries(written as [string, CallableHandler][])
}
