import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { RejectedBy } from '../auth/authenticate.ts'
import type { SharedLimitsState } from '../auth/redis-rate-limiter.ts'
import { framingStatuses } from '../contract/framing.ts'
import type { ConnectionCounts } from '../http-server.ts'
import type { Connections } from '../store/engine.ts'
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
  const register = new Registry()
  const registers = [register]
  collectDefaultMetrics({ register })
  addScrapedMetrics(registers, sources)
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
    observers: [measureRequests(registers, sources.operationIds), countDeprecatedUse(registers)],
    onRejected(by) {
      rejected.inc({ limit: limitOf[by] })
      if (by === 'ban-begun') bans.inc()
    },
    mediaType: register.contentType,
    text: () => register.metrics(),
  }
}

/** One value for each combination of labels. */
type Values = readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[]

/** Adds metrics whose values are read at each scrape. */
function addScrapedMetrics(registers: Registry[], sources: MetricSources): void {
  const { version, load, connections, database, redis } = sources

  function add(
    Metric: typeof Gauge | typeof Counter,
    name: string,
    help: string,
    read: () => Values | number,
  ): void {
    const readAll = (): Values => {
      const value = read()
      return typeof value === 'number' ? [[{}, value]] : value
    }
    const metric = new Metric({
      ...{ name: `animal_store_${name}`, help, registers },
      labelNames: Object.keys(readAll()[0]?.[0] ?? {}),
      collect() {
        metric.reset()
        for (const [labels, value] of readAll()) metric.inc(labels, value)
      },
    })
  }
  const gauge = (name: string, help: string, read: () => Values | number) =>
    add(Gauge, name, help, read)
  const counter = (name: string, help: string, read: () => Values | number) =>
    add(Counter, `${name}_total`, help, read)

  gauge('info', 'The version of the contract that is served.', () => [[{ version }, 1]])
  gauge('requests_waiting', 'Requests that wait in the queue.', () => load().waiting)
  gauge('overloaded', '1 while requests are rejected because they would wait too long.', () =>
    Number(load().isOverloaded),
  )
  counter('requests_shed', 'Requests rejected by load shedding.', () => load().rejected)

  gauge('connections', 'Connections of clients that are open.', () => connections()?.open ?? 0)
  gauge('connections_max', 'Connections of clients at most.', () => connections()?.most ?? 0)
  counter(
    'connections_refused',
    'Connections closed because of a limit, of all or an address.',
    () =>
      (['all', 'address'] as const).map((limit) => [
        { limit },
        connections()?.rejected[limit] ?? 0,
      ]),
  )
  counter('framing_refused', 'Malformed requests, which have no operation, by status code.', () =>
    framingStatuses.map((status) => [{ status }, connections()?.malformed.get(status) ?? 0]),
  )
  if (database !== undefined) {
    gauge('database_connections', 'Open connections to PostgreSQL, in use or not.', () =>
      (['busy', 'idle'] as const).map((state) => [{ state }, database()[state]]),
    )
    gauge('database_connections_max', 'Connections to PostgreSQL at most.', () => database().most)
    gauge('database_waiting', 'Requests that wait for a connection.', () => database().waiting)
  }
  if (redis !== undefined) {
    gauge('redis_up', '1 while limits are counted in Redis, 0 while in this process alone.', () =>
      Number(redis().isShared),
    )
    counter('redis_outages', 'Losses of Redis since the start.', () => redis().outages)
    counter(
      'limits_counted_alone',
      'Requests that were counted in this process alone.',
      () => redis().countedAlone,
    )
  }
}
