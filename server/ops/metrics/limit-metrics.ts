import { Counter, Gauge, type Registry } from 'prom-client'
import type { RejectedBy } from '../../auth/authenticate.ts'
import type { SharedLimitsState } from '../../auth/redis-rate-limiter.ts'

const limitOf = {
  address: 'address',
  limited: 'key',
  'ban-begun': 'ban',
  banned: 'ban',
} as const satisfies Record<RejectedBy, string>

/** Counts what limits refuse; gives what is to be told of each refusal. */
export function countRejected(registers: Registry[]): (by: RejectedBy) => void {
  const refused = new Counter({
    name: 'animal_store_limits_refused_total',
    help: 'Requests refused with 429: by the limit of an address, that of a key, or a ban.',
    labelNames: ['limit'],
    registers,
  })
  const bans = new Counter({
    name: 'animal_store_bans_total',
    help: 'Bans of keys that began here.',
    registers,
  })
  for (const limit of Object.values(limitOf)) refused.inc({ limit }, 0)
  return function count(by) {
    refused.inc({ limit: limitOf[by] })
    if (by === 'ban-begun') bans.inc()
  }
}

/** Shows how counting in Redis does. */
export function showSharedLimits(registers: Registry[], state: () => SharedLimitsState): void {
  const shared = new Gauge({
    name: 'animal_store_redis_up',
    help: '1 while limits are counted in Redis, 0 while this instance counts for itself.',
    registers,
    collect() {
      shared.set(Number(state().isShared))
    },
  })
  const outages = new Counter({
    name: 'animal_store_redis_outages_total',
    help: 'How many times Redis was lost, or missing at the start.',
    registers,
    collect() {
      outages.reset()
      outages.inc(state().outages)
    },
  })
  const alone = new Counter({
    name: 'animal_store_limits_counted_alone_total',
    help: 'Requests that this instance counted for itself because Redis was away.',
    registers,
    collect() {
      alone.reset()
      alone.inc(state().countedAlone)
    },
  })
}
