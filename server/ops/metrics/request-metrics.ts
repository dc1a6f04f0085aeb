import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { isProbe } from '../health.ts'
import type { RequestObserver } from '../request-observer.ts'
import { collectObservations, type Observations } from './observations.ts'

/** Seconds: from what a read takes to what nobody waits for. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** What stands in the place of a status when the caller left before the answer. */
const gone = 'gone'

/** Measures every request: how long it took, how it came out, and whether that kept the contract. */
export function measureRequests(
  registers: Registry[],
  operationIds: readonly string[],
): RequestObserver {
  const durations = new Histogram({
    name: 'animal_store_request_duration_seconds',
    help: 'Time from a request to its answer, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets,
    registers,
    collect: () => {
      for (const { flush } of observations) flush()
    },
  })
  const observations: Observations[] = []
  let inFlight = 0
  const violations = new Counter({
    name: 'animal_store_contract_violations_total',
    help: 'Answers that broke the contract, sent or not (RESPONSE_VALIDATION), by operation.',
    labelNames: ['operation'],
    registers,
  })
  // From 0 to 1 is a gain; from nothing to 1 is none, and no alert would see it.
  for (const operation of operationIds) violations.inc({ operation }, 0)
  const running = new Gauge({
    name: 'animal_store_requests_in_flight',
    help: 'Requests that are not answered yet.',
    registers,
    collect() {
      running.set(inFlight)
    },
  })
  const observe = rememberEach((operation) =>
    rememberEach((status) => {
      const made = collectObservations(durations.labels({ operation, status }).observe)
      observations.push(made)
      return made.add
    }),
  )

  return function watch(_request, response) {
    inFlight++
    return function tell({ status, milliseconds }) {
      inFlight--
      const { locals } = response
      // Rejections of load shedding are counted by themselves.
      if (locals.isShed) return
      const operation = labelOf(locals, status)
      observe(operation)(status === undefined ? gone : `${status}`)(milliseconds / 1000)
      if (locals.violations.length > 0) violations.inc({ operation })
    }
  }
}

/**
 * What a request is counted under: its operation, or one of three names that no operation has. What
 * was asked for is none of it, so that callers cannot make up names.
 */
function labelOf(
  { operation, path, isApiRequest }: Express.Locals,
  status: number | undefined,
): string {
  if (operation !== undefined) return operation.operationId
  if (isProbe(path)) return '(probe)'
  return isApiRequest || status === 404 ? '(unknown)' : '(page)'
}

/** Makes the value of each name once. */
function rememberEach<Value>(make: (name: string) => Value): (name: string) => Value {
  const made = new Map<string, Value>()
  return function get(name) {
    const known = made.get(name)
    if (known !== undefined) return known
    const value = make(name)
    made.set(name, value)
    return value
  }
}
