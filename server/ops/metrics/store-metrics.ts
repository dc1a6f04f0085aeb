import { Gauge, type Registry } from 'prom-client'
import type { Connections } from '../../store/store.ts'

/** Shows how the connections to PostgreSQL are used. */
export function showConnections(registers: Registry[], connections: () => Connections): void {
  const open = new Gauge({
    name: 'animal_store_database_connections',
    help: 'Connections to PostgreSQL that are open, by whether they are in use.',
    labelNames: ['state'],
    registers,
    collect() {
      const { busy, idle } = connections()
      open.set({ state: 'busy' }, busy)
      open.set({ state: 'idle' }, idle)
    },
  })
  const most = new Gauge({
    name: 'animal_store_database_connections_max',
    help: 'Connections to PostgreSQL that there may be (DATABASE_POOL_SIZE).',
    registers,
    collect() {
      most.set(connections().most)
    },
  })
  const waiting = new Gauge({
    name: 'animal_store_database_waiting',
    help: 'Pieces of work that wait for a connection to PostgreSQL.',
    registers,
    collect() {
      waiting.set(connections().waiting)
    },
  })
}
