import { Counter, type Registry } from 'prom-client'
import type { RequestObserver } from '../request-observer.ts'

/** The most keys that are told apart; what others use is counted together. */
const mostKeys = 1_000

/** What those are counted under. */
const others = '(others)'

/** Counts who still uses deprecated operations, so that they can be told in time. */
export function countDeprecatedUse(registers: Registry[], most = mostKeys): RequestObserver {
  /** Uses since somebody looked, by key and operation. */
  const recent = new Map<string, Map<string, number>>()
  const uses = new Counter({
    name: 'animal_store_deprecated_requests_total',
    help: 'Requests to deprecated operations, by operation and the id of the key.',
    labelNames: ['operation', 'key'],
    registers,
    collect() {
      for (const [key, counts] of recent) {
        for (const [operation, count] of counts) uses.inc({ operation, key }, count)
        counts.clear()
      }
    },
  })

  function recentOf(keyId: string): Map<string, number> {
    const known = recent.get(keyId)
    if (known !== undefined) return known
    if (keyId !== others && recent.size >= most) return recentOf(others)
    const counts = new Map<string, number>()
    recent.set(keyId, counts)
    return counts
  }

  return function watch(_request, response) {
    return function tell() {
      const { operation, callerId } = response.locals
      if (operation?.deprecation === undefined || callerId === undefined) return
      const { operationId } = operation
      const counts = recentOf(callerId)
      counts.set(operationId, (counts.get(operationId) ?? 0) + 1)
    }
  }
}
