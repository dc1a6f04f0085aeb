import type { Logger } from 'pino'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import type { Contract } from './contract/contract.ts'
import { ErrorResponses } from './contract/error-responses.ts'
import { createWebhooks } from './contract/webhooks.ts'
import { readBundled } from './description/description-reader.ts'
import { pagePrefixOf } from './description/platform-paths.ts'
import { requestSettingsOf } from './description/settings.ts'
import { createDocsPages } from './docs/docs.ts'
import { type Draining, HttpServer } from './http/http-server.ts'
import { OpenStreams } from './http/open-streams.ts'
import { type CreateMock, chooseImplementations, type Implementations } from './implementations.ts'
import { createHealthPages, Readiness, type ReadinessCheck } from './ops/health.ts'
import { LoadShedding } from './ops/load-shedding.ts'
import { openTelemetry, type RequestObserver } from './ops/telemetry.ts'
import type { Tracing } from './ops/tracing.ts'
import { ThrottledLog } from './process/throttled-log.ts'
import type { CheckKey } from './security/api-key-authenticator.ts'
import { authentication } from './security/authenticate.ts'
import { type AnyAuthenticators, openAuthenticators } from './security/authenticators.ts'
import { acceptDevelopmentKey } from './security/development-key.ts'
import { KeyCache } from './security/key-cache.ts'
import { openLimits } from './security/rate-limits.ts'
import type { RedisCounting } from './security/redis-rate-limiter.ts'
import { createUsageCounter } from './security/usage-counter.ts'
import { type Api, readServedApi } from './served-api.ts'
import { assertOwnResponses } from './start-up/own-responses-check.ts'
import { assertAuthenticated, assertPassedToUpstream, assertServable } from './start-up/servable.ts'
import type { Store } from './store/store.ts'
import type { Upstream, UpstreamOptions } from './upstream/upstream.ts'

export interface ServiceOptions {
  /** The API to serve, if it is not the one of this project. */
  readonly api?: Api
  /** Creates the handlers of operations that have none. */
  readonly createMock?: CreateMock
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
   * Stops the service within the grace: running requests are finished, and so are those that arrive while it
   * drains.
   */
  readonly stop: (draining?: Draining) => Promise<void>
}

/** What authenticators are opened with. */
type AuthenticatorParts = Parameters<typeof openAuthenticators>[2]

/** Error responses that the log lists at the start. */
const mostDiffering = 10

/** Starts the service on a store; rejects if the contract cannot be served or the port is taken. */
export async function startService(
  config: Config,
  store: Store,
  log: Logger,
  { api = readServedApi(), createMock, keyCache, redisCounting, onRequest }: ServiceOptions = {},
): Promise<Service> {
  const { operations, basePath, settings, version } = api
  const shutdown = new Shutdown(config)
  // The last one that was opened is closed first.
  await using opened = new AsyncDisposableStack()

  const tracing = await openTracing(config, api, log)
  opened.defer(() => tracing?.close(shutdown.remaining))
  const traced = tracing?.traceStore(store) ?? store
  const usage = createUsageCounter(store.usage, log)
  opened.defer(usage.stop)
  const limits = await openLimits(config, log, redisCounting)
  opened.defer(() => limits?.redis?.close())

  const readinessChecks: ReadinessCheck[] = []
  const written = await api.createHandlers({
    store: traced,
    idempotencyHours: config.idempotencyHours,
    webhooks: createWebhooks(() => readBundled(api.description)),
    closeOnStop: (close) => opened.defer(async () => void (await close())),
    addReadinessCheck: (check) => void readinessChecks.push(check),
  })
  const implementations = await chooseImplementations(api, written, config, log, createMock)
  const { handlers, contract, served, unimplemented } = implementations
  assertServable(contract, { ...written, ...handlers })

  const streams = new OpenStreams(config, shutdown.signal, log)
  opened.defer(() => streams.close())
  const stoppable = { streams, stopping: shutdown.signal }
  const upstream = await openUpstream(config, implementations, stoppable, log)
  opened.defer(() => upstream?.close())

  const keys = keyCache ?? new KeyCache(traced.keys)
  const parts = { store: traced, keys, plans: api.plans, settings: config, log }
  const authenticators = chooseAuthenticators(api, implementations, config, parts)
  checkOwnResponses(api, contract, authenticators, config, log)

  const loadShedding = new LoadShedding(config, log)
  opened.defer(() => loadShedding.stop())
  const storeErrorLog = createStoreErrorLog(log)
  opened.defer(() => storeErrorLog.stop())

  const errors = new ErrorResponses(contract.description, api.errorFormat)
  const server = new HttpServer(config, errors, log)
  const readiness = new Readiness(store, shutdown.signal, readinessChecks)
  const sources = {
    version,
    operationIds: Object.keys(operations),
    ignoresParameters: requestSettingsOf(settings).unknownQueryParameters === 'ignore',
    loadShedding,
    server,
    readiness,
    database: store.connections,
    redis: limits?.redis,
    upstream,
    streams,
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
    isMocked: implementations.isMocked,
    streams,
    stopping: shutdown.signal,
    authenticate: authentication({
      description: contract.description,
      operations: Object.values(operations),
      authenticators,
      usage,
      limits,
      corsOrigins: config.corsOrigins,
    }),
    pages: {
      ...createDocsPages(api, served, { hasTools: config.mcp }),
      ...createHealthPages(readiness, pagePrefixOf(settings)),
    },
    connect: config.mcp ? (address) => server.connect(address) : undefined,
    telemetry: telemetry.middleware,
    trace: tracing?.middleware,
  })
  const origin = await server.listen(app)
  opened.defer(() => server.close(shutdown.draining))

  const running = opened.move()
  return {
    origin,
    metricsUrl: telemetry.metricsUrl,
    unimplemented,
    async stop(draining = {}) {
      shutdown.begin(draining)
      await running.disposeAsync()
    },
  }
}

/** The stop of a service: how it drains, and how much time it has. */
class Shutdown {
  readonly #graceSeconds: number
  readonly #controller = new AbortController()
  #draining: Draining = {}
  #deadline = 0

  constructor({ shutdownGraceSeconds }: Pick<Config, 'shutdownGraceSeconds'>) {
    this.#graceSeconds = shutdownGraceSeconds
  }

  begin(draining: Draining): void {
    this.#draining = draining
    this.#deadline = performance.now() + this.#graceSeconds * 1_000
    this.#controller.abort()
  }

  /** Aborts when the service begins to stop. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get draining(): Draining {
    return this.#draining
  }

  /** Milliseconds until the end of the grace; 0 before the stop. */
  get remaining(): number {
    return Math.max(0, this.#deadline - performance.now())
  }
}

/** Returns what checks the credentials of each security scheme; throws if something is checked by nothing. */
function chooseAuthenticators(
  { operations, createAuthenticators }: Api,
  { contract: { description }, unimplemented }: Implementations,
  { upstream, isProduction }: Config,
  parts: AuthenticatorParts,
): AnyAuthenticators {
  const ownAuthenticators = openAuthenticators(createAuthenticators, description, parts)
  assertPassedToUpstream(operations, ownAuthenticators, unimplemented, upstream)
  const authenticators = isProduction
    ? ownAuthenticators
    : acceptDevelopmentKey(ownAuthenticators, parts.keys)
  assertAuthenticated(description, authenticators)
  return authenticators
}

/** Throws if the description does not allow what the service itself sends; logs the errors that it sends as declared. */
function checkOwnResponses(
  { errorFormat }: Api,
  contract: Contract,
  texts: AnyAuthenticators,
  { rateLimits }: Config,
  log: Logger,
): void {
  const differing = assertOwnResponses({ contract, errorFormat, texts, rateLimits })
  if (differing.length > 0) {
    const firstOnes = differing.slice(0, mostDiffering)
    log.warn(
      { count: differing.length, shown: firstOnes },
      'error responses: sent as declared, not in the format',
    )
  }
}

function createStoreErrorLog(log: Logger): ThrottledLog {
  return new ThrottledLog(log, {
    level: 'error',
    startMessage: 'store unavailable',
    endMessage: 'store: no more failures',
  })
}

/** Opens the traces; OpenTelemetry is loaded only where they are sent. */
async function openTracing(config: Config, api: Api, log: Logger): Promise<Tracing | undefined> {
  if (config.tracesEndpoint === '') {
    return undefined
  }
  const { Tracing } = await import('./ops/tracing.ts')
  return new Tracing(config, api, log)
}

/** Opens the connections to the upstream, if there is one; its code is loaded only then. */
async function openUpstream(
  config: Config,
  { contract, forwarded }: Implementations,
  stoppable: Pick<UpstreamOptions, 'streams' | 'stopping'>,
  log: Logger,
): Promise<Upstream | undefined> {
  if (config.upstream.url === '') {
    return undefined
  }
  const { Upstream } = await import('./upstream/upstream.ts')
  log.info(
    { operations: [...forwarded] },
    'operations without a handler: forwarding to UPSTREAM_URL',
  )
  return new Upstream({ config, contract, operationIds: forwarded, ...stoppable, log })
}
