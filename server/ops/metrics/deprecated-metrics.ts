import { Counter, type Registry } from 'prom-client'
import type { Watcher } from '../watched.ts'

/** The most keys that are told apart; what others use is counted together. */
const mostKeys = 1_000

/** What those are counted under. */
const others = '(others)'

/** Counts who still uses what is on its way out, so that they can be told in time. */
export function countDeprecatedUse(registers: Registry[], most = mostKeys): Watcher {
  const uses = new Counter({
    name: 'animal_store_deprecated_requests_total',
    help: 'Requests to deprecated operations, by operation and the id of the key.',
    labelNames: ['operation', 'key'],
    registers,
  })
  const known = new Set<string>()

  function labelOf(keyId: string): string {
    if (known.has(keyId)) return keyId
    if (known.size >= most) return others
    known.add(keyId)
    return keyId
  }

  return function watch(_request, response) {
    return function tell() {
      const { match, callerId } = response.locals.exchange
      if (match.kind !== 'operation' || match.operation.deprecation === undefined) return
      const { operationId: operation } = match.operation
      if (callerId !== undefined) uses.inc({ operation, key: labelOf(callerId) })
    }
  }
}
