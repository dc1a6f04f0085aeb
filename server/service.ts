import type { Logger } from 'pino'
import { type Api, readServedApi } from './api.ts'
import { createApp } from './app.ts'
import { createAdmission } from './auth/admission.ts'
import { createKeyCache, type KeyCache } from './auth/key-cache.ts'
import { createUsageMeter, type UsageMeter, type UsesLeft } from './auth/usage-meter.ts'
import type { Config } from './config.ts'
import type { AnyHandler } from './contract/call-handler.ts'
import type { Description } from './contract/description.ts'
import type { Mock } from './contract/mock.ts'
import { assertServable } from './contract/start-up-checks.ts'
import { createDocsPages } from './docs/docs.ts'
import { type OpenLimits, openLimits, type RedisCounting } from './limits.ts'
import { type OnAnswer, tellAnswers } from './ops/answered.ts'
import { type Front, openFront } from './ops/front.ts'
import { createHealthPages } from './ops/health.ts'
import { createLoadShedding, type LoadShedding } from './ops/load-shedding.ts'
import { openObservation } from './ops/observation.ts'
import { openTracing, type Tracing } from './ops/tracing/tracing.ts'
import type { Store } from './store/store.ts'

const fateOfUses: Readonly<Record<UsesLeft, string>> = {
  kept: 'it is written later',
  dropped: 'what was counted since the last time may be missing in the list of keys',
}

/** What the service does more while its API is designed. */
export interface DesignOptions {
  /** Makes the mock that responds for operations without a handler. */
  readonly createStandIn?: (description: Description) => Mock
  /** Notified of every response of the API. */
  readonly onAnswer?: OnAnswer
}

/** What the service runs on: handlers, API keys, limits and the store. */
export interface Backing {
  readonly handlers: Readonly<Record<string, AnyHandler>>
  readonly keyCache: KeyCache
  readonly usage: UsageMeter
  readonly limits: OpenLimits
  readonly store: Pick<Store, 'ping' | 'connections'>
  readonly tracing?: Tracing | undefined
}

/** A service that listens. */
export interface Service {
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  readonly origin: string
  /** Where operators find its metrics; absent when it keeps none. */
  readonly metricsUrl?: string
  /**
   * Stops it: finishes what is running, within the grace, and resolves when nothing is left. Requests
   * that follow each other within a lull, in milliseconds, are served until they stop coming.
   */
  readonly stop: (lull?: number) => Promise<void>
  readonly load: LoadShedding['load']
}

export interface ServiceOptions extends DesignOptions {
  /** The API to serve, if it is not the one of this project. */
  readonly api?: Api
  readonly redisCounting?: RedisCounting
  /** What waits are measured with, in milliseconds. */
  readonly now?: () => number
}

/** Starts the service on a store; rejects when the contract cannot be run or the port is taken. */
export async function startService(
  config: Config,
  store: Store,
  log: Logger,
  options: ServiceOptions = {},
): Promise<Service> {
  const { api = readServedApi() } = options
  const usage = createUsageMeter(store.usage, (err, left) =>
    log.warn({ err }, `the use of keys cannot be written now; ${fateOfUses[left]}`),
  )
  await using opened = new AsyncDisposableStack()
  opened.defer(usage.stop)
  const tracing = await openTracing(config, api, log)
  opened.defer(async () => tracing?.close(0))
  const traced = tracing?.traced(store) ?? store
  const handlers = api.createHandlers({ store: traced, idempotencyHours: config.idempotencyHours })
  const limits = await openLimits(config, log, options.redisCounting)
  opened.defer(limits.close)
  const keyCache = createKeyCache(traced.keys)
  const backing = { handlers, keyCache, usage, limits, store, tracing }
  const service = await serve(config, backing, log, { ...options, api })
  // From here on the service closes them.
  opened.move()
  return service
}

/** Starts the service on whatever stands behind it. */
export async function serve(
  config: Config,
  backing: Backing,
  log: Logger,
  { now, api = readServedApi(), createStandIn, onAnswer }: ServiceOptions = {},
): Promise<Service> {
  const { handlers, usage, limits, store, tracing } = backing
  const { description, operations } = api
  const mock = createStandIn?.(description)
  assertServable({
    ...{ description, operations, handlers },
    isMocked: mock !== undefined,
    authenticates: { apiKey: { type: 'http', scheme: 'bearer' } },
  })
  const served = { version: api.version, operationIds: Object.keys(api.operations) }
  let front: Front | undefined
  const loadShedding = createLoadShedding({ config, log, now })
  const sources = {
    ...served,
    load: loadShedding.load,
    connections: store.connections,
    shared: limits.shared,
    // Nobody asks before there is a front: the port for operators is opened first, so that a service
    // that cannot have it does not listen.
    door: () => front?.door,
  }
  await using opened = new AsyncDisposableStack()
  const observation = await openObservation(config, log, sources, api.basePath)
  opened.defer(observation.close)
  let hasToStop = false
  const isDraining = () => hasToStop
  const health = createHealthPages({ store, isDraining })
  const { observers, onRejected } = observation
  const app = createApp({
    ...{ config, api, handlers, mock, log, isDraining },
    admit: createAdmission({ keyCache: backing.keyCache, usage, onRejected, ...limits }),
    loadShedding,
    pages: { ...createDocsPages(description, api.referencePage), ...health },
    observers: onAnswer === undefined ? observers : [...observers, tellAnswers(onAnswer)],
    trace: tracing?.step,
  })
  front = await openFront(app, { config, log })
  opened.move()
  const { origin, close } = front
  const { metricsUrl } = observation
  return {
    origin,
    load: loadShedding.load,
    ...(metricsUrl === undefined ? {} : { metricsUrl }),
    async stop(lull = 0) {
      hasToStop = true
      const deadline = performance.now() + config.shutdownGraceSeconds * 1000
      await close(lull)
      loadShedding.stop()
      await usage.stop()
      await limits.close()
      await observation.close()
      await tracing?.close(Math.max(0, deadline - performance.now()))
    },
  }
}
