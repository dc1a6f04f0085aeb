import { Counter, Gauge, type Registry } from 'prom-client'
import type { Load } from '../load-shedding.ts'

/** Shows what waits, and what is refused because there is no time for it. */
export function showLoad(registers: Registry[], load: () => Load | undefined): void {
  const waiting = new Gauge({
    name: 'animal_store_requests_waiting',
    help: 'Requests that wait for their turn.',
    registers,
    collect() {
      waiting.set(load()?.waiting ?? 0)
    },
  })
  const overloaded = new Gauge({
    name: 'animal_store_overloaded',
    help: '1 while requests are refused because they would wait too long.',
    registers,
    collect() {
      overloaded.set(Number(load()?.isOverloaded ?? false))
    },
  })
  const shed = new Counter({
    name: 'animal_store_requests_shed_total',
    help: 'Requests refused with 503 because there was no time for them.',
    registers,
    collect() {
      shed.reset()
      shed.inc(load()?.refused ?? 0)
    },
  })
}
