import { Counter, Gauge, type Registry } from 'prom-client'
import type { Door } from '../front.ts'

/** Shows how many connections of callers are open, and what was turned away before it was a request. */
export function showDoor(registers: Registry[], door: () => Door | undefined): void {
  const open = new Gauge({
    name: 'animal_store_connections',
    help: 'Connections of callers that are open.',
    registers,
    async collect() {
      open.set((await door()?.open()) ?? 0)
    },
  })
  const most = new Gauge({
    name: 'animal_store_connections_max',
    help: 'Connections of callers that there may be (MAX_CONNECTIONS).',
    registers,
    collect() {
      most.set(door()?.most ?? 0)
    },
  })
  const refused = new Counter({
    name: 'animal_store_connections_refused_total',
    help: 'Connections closed at once because as many were open as there may be, of all or of an address.',
    labelNames: ['limit'],
    registers,
    collect() {
      refused.reset()
      for (const [limit, count] of Object.entries(door()?.turnedAway().connections ?? {})) {
        refused.inc({ limit }, count)
      }
    },
  })
  const framing = new Counter({
    name: 'animal_store_framing_refused_total',
    help: 'Answers to bytes that are no HTTP request, which has no operation, by status.',
    labelNames: ['status'],
    registers,
    collect() {
      framing.reset()
      for (const [status, count] of door()?.turnedAway().framing ?? []) {
        framing.inc({ status }, count)
      }
    },
  })
}
