import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { RejectedBy } from '../auth/admission.ts'
import type { SharedLimitsState } from '../auth/redis-rate-limiter.ts'
import type { ConnectionCounts } from '../http-server.ts'
import type { Connections } from '../store/store.ts'
import type { Load } from './load-shedding.ts'
import { countDeprecatedUse, measureRequests } from './request-metrics.ts'
import type { RequestObserver } from './request-observer.ts'

/** What metrics read at each scrape. */
export interface MetricSources {
  /** The version of the contract that is served. */
  readonly version: string
  readonly operationIds: readonly string[]
  readonly load: () => Load
  /** Undefined until the HTTP server listens. */
  readonly connections: () => ConnectionCounts | undefined
  /** Absent where the store has no connections. */
  readonly database?: (() => Connections) | undefined
  /** Absent where limits are not counted in Redis. */
  readonly redis?: (() => SharedLimitsState) | undefined
}

/** The metrics of a service. */
export interface Metrics {
  readonly observers: readonly RequestObserver[]
  readonly onRejected: (by: RejectedBy) => void
  /** The media type of the text, with its version. */
  readonly mediaType: string
  /** Returns all metrics in the text format of Prometheus. */
  readonly text: () => Promise<string>
}

/** The label of each kind of rejection. */
const limitOf = {
  address: 'address',
  limited: 'key',
  'ban-begun': 'ban',
  banned: 'ban',
} as const satisfies Record<RejectedBy, string>

/** Creates the metrics of one service. */
export function createMetrics(sources: MetricSources): Metrics {
  const { version, operationIds, load, connections, database, redis } = sources
  const register = new Registry()
  const registers = [register]
  collectDefaultMetrics({ register })
  const [gauge, counter] = [addGauge(registers), addCounter(registers)]
  gauge('info', 'The version of the contract that is served.', () => [[{ version }, 1]])
  addLoad(gauge, counter, load)
  addConnections(gauge, counter, connections)
  if (database !== undefined) addDatabase(gauge, database)
  if (redis !== undefined) addRedis(gauge, counter, redis)
  const rejected = new Counter({
    name: 'animal_store_limits_refused_total',
    help: 'Requests rejected with 429: by the limit of an address, that of a key, or a ban.',
    labelNames: ['limit'],
    registers,
  })
  for (const limit of Object.values(limitOf)) rejected.inc({ limit }, 0)
  const bans = new Counter({
    name: 'animal_store_bans_total',
    help: 'Bans of keys that began here.',
    registers,
  })
  return {
    observers: [measureRequests(registers, operationIds), countDeprecatedUse(registers)],
    onRejected(by) {
      rejected.inc({ limit: limitOf[by] })
      if (by === 'ban-begun') bans.inc()
    },
    mediaType: register.contentType,
    text: () => register.metrics(),
  }
}

/** One value of a metric for each combination of labels. */
type Values = readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[]

/** Adds a metric whose values are read at each scrape. */
type AddMetric = (name: string, help: string, read: () => Values | number) => void

function addGauge(registers: Registry[]): AddMetric {
  return function add(name, help, read) {
    const gauge = new Gauge({
      ...{ name: `animal_store_${name}`, help, registers, labelNames: labelNamesOf(read()) },
      collect() {
        for (const [labels, value] of toValues(read())) gauge.set(labels, value)
      },
    })
  }
}

function addCounter(registers: Registry[]): AddMetric {
  return function add(name, help, read) {
    const counter = new Counter({
      ...{ name: `animal_store_${name}_total`, help, registers, labelNames: labelNamesOf(read()) },
      collect() {
        counter.reset()
        for (const [labels, value] of toValues(read())) counter.inc(labels, value)
      },
    })
  }
}

function toValues(read: Values | number): Values {
  return typeof read === 'number' ? [[{}, read]] : read
}

function labelNamesOf(read: Values | number): string[] {
  return Object.keys(toValues(read)[0]?.[0] ?? {})
}

function addLoad(gauge: AddMetric, counter: AddMetric, load: () => Load): void {
  gauge('requests_waiting', 'Requests that wait in the queue.', () => load().waiting)
  gauge('overloaded', '1 while requests are rejected because they would wait too long.', () =>
    Number(load().isOverloaded),
  )
  counter('requests_shed', 'Requests rejected with 503 by load shedding.', () => load().rejected)
}

function addConnections(
  gauge: AddMetric,
  counter: AddMetric,
  counts: () => ConnectionCounts | undefined,
): void {
  gauge('connections', 'Connections of clients that are open.', () => counts()?.open ?? 0)
  gauge(
    'connections_max',
    'Connections of clients that there may be (MAX_CONNECTIONS).',
    () => counts()?.most ?? 0,
  )
  counter(
    'connections_refused',
    'Connections closed at once because of MAX_CONNECTIONS (all) or MAX_CONNECTIONS_PER_ADDRESS.',
    () => {
      const { all, address } = counts()?.rejected ?? { all: 0, address: 0 }
      return [
        [{ limit: 'all' }, all],
        [{ limit: 'address' }, address],
      ]
    },
  )
  counter('framing_refused', 'Malformed requests, which have no operation, by status code.', () =>
    [...(counts()?.malformed ?? [['400', 0] as const])].map(([status, count]) => [
      { status },
      count,
    ]),
  )
}

function addDatabase(gauge: AddMetric, counts: () => Connections): void {
  gauge(
    'database_connections',
    'Open connections to PostgreSQL, by whether they are in use.',
    () => [
      [{ state: 'busy' }, counts().busy],
      [{ state: 'idle' }, counts().idle],
    ],
  )
  gauge(
    'database_connections_max',
    'Connections to PostgreSQL that there may be (DATABASE_POOL_SIZE).',
    () => counts().most,
  )
  gauge(
    'database_waiting',
    'Requests that wait for a connection to PostgreSQL.',
    () => counts().waiting,
  )
}

function addRedis(gauge: AddMetric, counter: AddMetric, state: () => SharedLimitsState): void {
  gauge('redis_up', '1 while limits are counted in Redis, 0 while in this process alone.', () =>
    Number(state().isShared),
  )
  counter(
    'redis_outages',
    'How many times Redis was lost, or missing at the start.',
    () => state().outages,
  )
  counter(
    'limits_counted_alone',
    'Requests that were counted in this process because Redis was away.',
    () => state().countedAlone,
  )
}
