import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { RedisRateLimiter } from '../auth/redis-rate-limiter.ts'
import type { HttpServer } from '../http-server.ts'
import { metricPrefix } from '../names.ts'
import type { Connections } from '../store/engine.ts'
import type { LoadShedding } from './load-shedding.ts'
import type { EndedRequest } from './telemetry.ts'

/** What metrics read at each scrape. */
export interface MetricSources {
  /** The version of the contract that is served. */
  readonly version: string
  readonly operationIds: readonly string[]
  readonly maxConnections: number
  readonly loadShedding: LoadShedding
  readonly server: HttpServer
  /** Absent where the store has no connections. */
  readonly database?: (() => Connections) | undefined
  /** Absent where limits are not counted in Redis. */
  readonly redis?: RedisRateLimiter | undefined
}

/** The buckets of durations, in seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** The label of each kind of rejection by a limit. */
const limitOf = {
  address: 'address',
  limited: 'key',
  'ban-started': 'ban',
  banned: 'ban',
} as const satisfies Record<NonNullable<Express.Locals['rejectedBy']>, string>

/** The metrics of one service. */
export class Metrics {
  readonly #register = new Registry()
  readonly #durations = new Histogram({
    name: `${metricPrefix}_request_duration_seconds`,
    help: 'Time from a request to its response, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets,
    registers: [this.#register],
  })
  readonly #violations = this.#counter(
    'contract_violations',
    'Responses that violate the contract, sent or not (RESPONSE_VALIDATION), by operation.',
    ['operation'],
  )
  readonly #deprecatedUses = this.#counter(
    'deprecated_requests',
    'Requests to deprecated operations, by operation and the id of the key.',
    ['operation', 'key'],
  )
  readonly #rejected = this.#counter(
    'limits_refused',
    'Requests rejected with 429: by the limit of an address, that of a key, or a ban.',
    ['limit'],
  )
  readonly #bans = this.#counter('bans', 'Bans of keys that began here.', [])

  constructor(sources: MetricSources) {
    collectDefaultMetrics({ register: this.#register })
    addScrapedMetrics(this.#register, sources)
    // An alert sees an increase from 0 to 1, but not a series that begins with 1.
    for (const operation of sources.operationIds) this.#violations.inc({ operation }, 0)
    for (const limit of Object.values(limitOf)) this.#rejected.inc({ limit }, 0)
  }

  /** Returns all metrics in the text format of Prometheus. */
  text(): Promise<string> {
    return this.#register.metrics()
  }

  /** Measures a request that has ended. */
  end({ status, milliseconds, locals }: EndedRequest): void {
    // Load shedding counts its rejections.
    if (!locals.isShed) {
      const operation = labelOf(locals, status)
      this.#durations.observe({ operation, status: status ?? 'gone' }, milliseconds / 1000)
      if (locals.violations.length > 0) this.#violations.inc({ operation })
    }
    const { operation, callerId, rejectedBy } = locals
    if (rejectedBy !== undefined) this.#rejected.inc({ limit: limitOf[rejectedBy] })
    if (rejectedBy === 'ban-started') this.#bans.inc()
    if (operation?.deprecation !== undefined && callerId !== undefined) {
      this.#deprecatedUses.inc({ operation: operation.operationId, key: callerId })
    }
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    const registers = [this.#register]
    return new Counter({ name: `${metricPrefix}_${name}_total`, help, labelNames, registers })
  }
}

/**
 * Returns the operation of a request, or one of three names that no operation has. Paths are not
 * used: clients could make up labels.
 */
function labelOf(
  { operation, isProbe, isApiRequest }: Express.Locals,
  status: number | undefined,
): string {
  if (operation !== undefined) return operation.operationId
  if (isProbe) return '(probe)'
  return isApiRequest || status === 404 ? '(unknown)' : '(page)'
}

/** Adds metrics whose values are read at each scrape. */
function addScrapedMetrics(register: Registry, sources: MetricSources): void {
  const { version, maxConnections, loadShedding, server, database, redis } = sources

  /** Adds a metric with one value, or with one for each value of its label. */
  function add(
    name: string,
    help: string,
    read: () => number | boolean | Readonly<Record<string, number>>,
    label?: string,
  ): void {
    const Metric = name.endsWith('_total') ? Counter : Gauge
    const metric: Gauge | Counter = new Metric({
      ...{ name: `${metricPrefix}_${name}`, help, registers: [register] },
      labelNames: label === undefined ? [] : [label],
      collect() {
        metric.reset()
        const values = read()
        if (label === undefined) metric.inc(Number(values))
        else for (const [key, value] of Object.entries(values)) metric.inc({ [label]: key }, value)
      },
    })
  }

  add('info', 'The version of the contract.', () => ({ [version]: 1 }), 'version')
  add('requests_in_flight', 'Requests that have no response yet.', () => server.running)
  add('requests_waiting', 'Requests that wait in the queue.', () => loadShedding.waiting)
  const overloadedHelp = '1 while requests are rejected because of overload.'
  add('overloaded', overloadedHelp, () => loadShedding.isOverloaded)
  add('requests_shed_total', 'Requests rejected by load shedding.', () => loadShedding.rejected)
  add('connections', 'Connections of clients that are open.', () => server.open)
  add('connections_max', 'Connections of clients at most.', () => maxConnections)
  const connectionsHelp = 'Connections closed because of a limit, of all or an address.'
  add('connections_refused_total', connectionsHelp, () => server.rejected, 'limit')
  const malformedHelp = 'Malformed requests, which have no operation, by status code.'
  add('framing_refused_total', malformedHelp, () => server.malformed, 'status')
  if (database !== undefined) {
    const states = () => ({ busy: database().busy, idle: database().idle })
    const statesHelp = 'Open connections to PostgreSQL, in use or not.'
    add('database_connections', statesHelp, states, 'state')
    add('database_connections_max', 'Connections to PostgreSQL at most.', () => database().most)
    add('database_waiting', 'Requests that wait for a connection.', () => database().waiting)
  }
  if (redis !== undefined) {
    add('redis_up', '1 while limits are counted in Redis.', () => redis.isShared)
    add('redis_outages_total', 'Losses of Redis since the start.', () => redis.outages)
    const aloneHelp = 'Requests counted in this process alone.'
    add('limits_counted_alone_total', aloneHelp, () => redis.countedLocally)
  }
}
