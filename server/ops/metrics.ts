import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { HttpServer } from '../http/http-server.ts'
import type { OpenStreams } from '../http/open-streams.ts'
import { apiName } from '../process/names.ts'
import type { RedisRateLimiter } from '../security/redis-rate-limiter.ts'
import type { Connections } from '../store/engine.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { Readiness } from './health.ts'
import type { LoadShedding } from './load-shedding.ts'
import { SeriesByKey } from './series-by-key.ts'
import type { EndedRequest } from './telemetry.ts'

/** The values that are read at each scrape. */
export interface MetricSources {
  /** The version of the contract that is served. */
  readonly version: string
  readonly operationIds: readonly string[]
  /** Whether query parameters that are not declared are ignored. */
  readonly ignoresParameters?: boolean
  readonly maxConnections: number
  readonly loadShedding: LoadShedding
  readonly server: HttpServer
  /** Absent where there are no health checks. */
  readonly readiness?: Readiness
  /** Absent where no response is sent in parts. */
  readonly streams?: OpenStreams
  /** Absent where the store has no connections. */
  readonly database?: (() => Connections) | undefined
  /** Absent where limits are not counted in Redis. */
  readonly redis?: RedisRateLimiter | undefined
  /** Absent where nothing is forwarded. */
  readonly upstream?: Upstream | undefined
}

/** The buckets of durations, in seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** The metrics of one service. */
export class Metrics {
  readonly #register = new Registry()
  readonly #durations = new Histogram({
    name: 'api_request_duration_seconds',
    help: 'Time from a request to its response, or to the headers of a stream, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets,
    registers: [this.#register],
  })
  readonly #deprecatedUses = new SeriesByKey()
  /** Responses that violate the contract, by operation. */
  readonly #violations: Record<string, number>
  /** Query parameters that are not declared and were ignored, by operation. */
  readonly #ignoredParameters: Record<string, number>
  /** Ended requests that were rejected with 429 or by load shedding, by what rejected them. */
  readonly #rejected = { overload: 0, address: 0, limited: 0, 'ban-started': 0, banned: 0 }

  constructor(sources: MetricSources) {
    const { operationIds, streams, database, redis, upstream } = sources
    // Names of metrics are the same for every API, so that one dashboard and one set of alerts fit all.
    this.#register.setDefaultLabels({ api: apiName })
    collectDefaultMetrics({ register: this.#register })
    // An alert sees an increase from 0 to 1, but not a series that begins with 1.
    this.#violations = Object.fromEntries(operationIds.map((id) => [id, 0]))
    this.#ignoredParameters = { ...this.#violations }

    const add = createAdd(this.#register)
    this.#addDeprecatedUses()
    this.#addRequests(sources, add)
    addConnections(sources, add)
    if (streams !== undefined) {
      addStreams(streams, add)
    }
    if (database !== undefined) {
      addDatabase(database, add)
    }
    if (redis !== undefined) {
      addRedis(redis, add)
    }
    if (upstream !== undefined) {
      this.#addUpstream(upstream, add)
    }
  }

  /** Returns all metrics in the text format of Prometheus. */
  text(): Promise<string> {
    return this.#register.metrics()
  }

  /** Measures a request that has ended. */
  end({ status, milliseconds, millisecondsToStream, locals }: EndedRequest): void {
    const { operation, caller, rejectedBy, violations, ignoredParameters = 0 } = locals
    if (rejectedBy !== undefined) {
      this.#rejected[rejectedBy]++
    }
    const label = labelOf(locals, status)
    if (violations.length > 0) {
      this.#violations[label] = (this.#violations[label] ?? 0) + 1
    }
    if (ignoredParameters > 0) {
      this.#ignoredParameters[label] = (this.#ignoredParameters[label] ?? 0) + ignoredParameters
    }
    // Rejections by load shedding have a metric of their own.
    if (rejectedBy !== 'overload') {
      const seconds = (millisecondsToStream ?? milliseconds) / 1000
      this.#durations.observe({ operation: label, status: status ?? 'gone' }, seconds)
    }
    const isCounted = caller !== undefined && rejectedBy === undefined
    if (operation?.deprecation !== undefined && isCounted) {
      this.#deprecatedUses.count(operation.operationId, caller.id)
    }
  }

  /** Adds the metrics of requests, of their violations and rejections. */
  #addRequests(sources: MetricSources, add: AddMetric): void {
    const { version, ignoresParameters, server, readiness, streams, loadShedding } = sources
    const violationsHelp =
      'Responses that violate the contract, sent or not (RESPONSE_VALIDATION), by operation.'
    add('contract_violations_total', violationsHelp, () => this.#violations, 'operation')
    if (ignoresParameters) {
      const ignoredHelp = 'Query parameters that are not declared and were ignored, by operation.'
      add('ignored_parameters_total', ignoredHelp, () => this.#ignoredParameters, 'operation')
    }

    const rejectedHelp =
      'Requests rejected with 429: by the limit of an address, that of a key, or a ban.'
    const readRejected = () => {
      const { address, limited, banned, 'ban-started': bans } = this.#rejected
      return { address, key: limited, ban: bans + banned }
    }
    add('limits_rejected_total', rejectedHelp, readRejected, 'limit')
    add('bans_total', 'Bans of keys that began here.', () => this.#rejected['ban-started'])
    add('info', 'The version of the contract.', () => ({ [version]: 1 }), 'version')
    if (readiness !== undefined) {
      const readyHelp = '1 if the last request to /readyz got 200, 0 if it got 503.'
      add('ready', readyHelp, () => readiness.isReady)
    }

    const inFlightHelp = 'Requests that have no response yet, without open streams.'
    add('requests_in_flight', inFlightHelp, () => server.running - (streams?.count ?? 0))
    add('requests_waiting', 'Requests that wait in the queue.', () => loadShedding.waiting)
    const overloadedHelp = '1 while requests are rejected because of overload.'
    add('overloaded', overloadedHelp, () => loadShedding.isOverloaded)
    add('requests_shed_total', 'Requests rejected by load shedding.', () => this.#rejected.overload)
  }

  /** Adds the metrics of the service that requests are forwarded to. */
  #addUpstream(upstream: Upstream, add: AddMetric): void {
    const { drift, connections } = upstream
    const metric = new Counter({
      name: 'api_upstream_drift_total',
      help: 'Forwarded requests and responses that violate the contract, by operation and kind.',
      labelNames: ['operation', 'kind'],
      registers: [this.#register],
      collect() {
        metric.reset()
        for (const [operation, counts] of drift.counts) {
          for (const [kind, count] of Object.entries(counts)) {
            metric.inc({ operation, kind }, count)
          }
        }
      },
    })
    const failuresHelp = 'Forwarded requests without a whole response, by reason.'
    add('upstream_failures_total', failuresHelp, () => connections.failures, 'reason')
    const undeclaredHelp = 'Forwarded requests that match no operation (UPSTREAM_UNDECLARED).'
    add('upstream_undeclared_requests_total', undeclaredHelp, () => upstream.undeclared)
    const uncheckedHelp = 'Responses of the upstream that were too large to be validated.'
    add('upstream_unchecked_responses_total', uncheckedHelp, () => upstream.unchecked)
  }

  /** Adds the metric of deprecated operations, whose series are read at each scrape. */
  #addDeprecatedUses(): void {
    const uses = this.#deprecatedUses
    const metric = new Counter({
      name: 'api_deprecated_requests_total',
      help: 'Requests to deprecated operations, by operation and the id of the key, or other.',
      labelNames: ['operation', 'key'],
      registers: [this.#register],
      collect() {
        metric.reset()
        for (const { labels, requests } of uses.read()) {
          metric.inc(labels, requests)
        }
      },
    })
  }
}

/**
 * Returns the operation of a request, or one of three names that no operation has. Paths are not
 * used: clients could make up labels.
 */
function labelOf(
  { operation, isProbe, isApiRequest, errorCode }: Express.Locals,
  status: number | undefined,
): string {
  if (operation !== undefined) {
    return operation.operationId
  }
  if (isProbe) {
    return '(probe)'
  }
  // No operation is looked up for a malformed request.
  const isUnknown = isApiRequest || status === 404 || errorCode === 'bad_request_framing'
  return isUnknown ? '(unknown)' : '(page)'
}

/** Adds the metrics of connections of clients. */
function addConnections({ server, maxConnections }: MetricSources, add: AddMetric): void {
  add('connections', 'Connections of clients that are open.', () => server.open)
  add('connections_max', 'Connections of clients at most.', () => maxConnections)
  const rejectedHelp = 'Connections closed because of a limit, of all or an address.'
  add('connections_rejected_total', rejectedHelp, () => server.rejected, 'limit')
  const malformedHelp = 'Malformed HTTP requests, by status code.'
  add('framing_rejected_total', malformedHelp, () => server.malformed, 'status')
}

function addStreams(streams: OpenStreams, add: AddMetric): void {
  add('streams_open', 'Responses that are sent in parts.', () => streams.count)
  add('streams_max', 'Responses that are sent in parts at most.', () => streams.limit)
  const failedHelp = 'Streams that ended with an error of their handler, or an invalid item.'
  add('streams_failed_total', failedHelp, () => streams.failures)
}

function addDatabase(readConnections: () => Connections, add: AddMetric): void {
  const readStates = () => {
    const { busy, idle } = readConnections()
    return { busy, idle }
  }
  const statesHelp = 'Open connections to PostgreSQL, in use or not.'
  add('database_connections', statesHelp, readStates, 'state')
  const maxHelp = 'Connections to PostgreSQL at most.'
  add('database_connections_max', maxHelp, () => readConnections().most)
  const waitingHelp = 'Requests that wait for a connection.'
  add('database_waiting', waitingHelp, () => readConnections().waiting)
}

function addRedis(redis: RedisRateLimiter, add: AddMetric): void {
  add('redis_up', '1 while limits are counted in Redis.', () => redis.isShared)
  add('redis_outages_total', 'Losses of Redis since the start.', () => redis.outages)
  const locallyHelp = 'Requests counted in this process alone.'
  add('limits_counted_locally_total', locallyHelp, () => redis.countedLocally)
}

type AddMetric = ReturnType<typeof createAdd>

/** Returns a function that adds metrics to a register whose values are read at each scrape. */
function createAdd(register: Registry) {
  /** Adds a metric with one value, or with one for each value of its label. */
  return function add(
    name: string,
    help: string,
    read: () => number | boolean | Readonly<Record<string, number>>,
    label?: string,
  ): void {
    const Metric = name.endsWith('_total') ? Counter : Gauge
    const metric: Gauge | Counter = new Metric({
      name: `api_${name}`,
      help,
      registers: [register],
      labelNames: label === undefined ? [] : [label],
      collect() {
        metric.reset()
        const values = read()
        if (label === undefined) {
          metric.inc(Number(values))
        } else {
          for (const [key, value] of Object.entries(values)) {
            metric.inc({ [label]: key }, value)
          }
        }
      },
    })
  }
}
