import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { isProbe } from './health.ts'
import type { RequestObserver } from './request-observer.ts'

/** Seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** The keys whose use of deprecated operations is counted by key, and the label of all others. */
const [mostKeys, others] = [1_000, '(others)']

/** Returns the observer that measures requests: duration, status, and violations of the contract. */
export function measureRequests(
  registers: Registry[],
  operationIds: readonly string[],
): RequestObserver {
  const durations = new Histogram({
    name: 'animal_store_request_duration_seconds',
    help: 'Time from a request to its response, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets,
    registers,
  })
  const violations = new Counter({
    name: 'animal_store_contract_violations_total',
    help: 'Responses that violate the contract, sent or not (RESPONSE_VALIDATION), by operation.',
    labelNames: ['operation'],
    registers,
  })
  // An alert sees an increase from 0 to 1, but not a series that begins with 1.
  for (const operation of operationIds) violations.inc({ operation }, 0)
  const inFlight = new Gauge({
    name: 'animal_store_requests_in_flight',
    help: 'Requests that have no response yet.',
    registers,
  })

  return function begin(_request, response) {
    inFlight.inc()
    return function end({ status, milliseconds }) {
      inFlight.dec()
      const { locals } = response
      // Load shedding counts its rejections.
      if (locals.isShed) return
      const operation = labelOf(locals, status)
      const labels = { operation, status: status === undefined ? 'gone' : `${status}` }
      durations.observe(labels, milliseconds / 1000)
      if (locals.violations.length > 0) violations.inc({ operation })
    }
  }
}

/**
 * Returns the operation of a request, or one of three names that no operation has. Paths are not
 * used: clients could make up labels.
 */
function labelOf(
  { operation, path, isApiRequest }: Express.Locals,
  status: number | undefined,
): string {
  if (operation !== undefined) return operation.operationId
  if (isProbe(path)) return '(probe)'
  return isApiRequest || status === 404 ? '(unknown)' : '(page)'
}

/** Returns the observer that counts who still uses deprecated operations. */
export function countDeprecatedUse(registers: Registry[]): RequestObserver {
  const keys = new Set<string>()
  const uses = new Counter({
    name: 'animal_store_deprecated_requests_total',
    help: 'Requests to deprecated operations, by operation and the id of the key.',
    labelNames: ['operation', 'key'],
    registers,
  })
  return function begin(_request, response) {
    return function end() {
      const { operation, callerId } = response.locals
      if (operation?.deprecation === undefined || callerId === undefined) return
      if (keys.size < mostKeys) keys.add(callerId)
      const key = keys.has(callerId) ? callerId : others
      uses.inc({ operation: operation.operationId, key })
    }
  }
}
