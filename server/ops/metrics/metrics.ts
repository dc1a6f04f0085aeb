import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { RejectedBy } from '../../auth/authenticate.ts'
import type { SharedLimitsState } from '../../auth/redis-rate-limiter.ts'
import type { Connections } from '../../store/store.ts'
import type { Door } from '../front.ts'
import type { Load } from '../load-shedding.ts'
import type { RequestObserver } from '../request-observer.ts'
import { showDoor } from './connection-metrics.ts'
import { countDeprecatedUse } from './deprecated-metrics.ts'
import { countRejected, showSharedLimits } from './limit-metrics.ts'
import { showLoad } from './load-metrics.ts'
import { measureRequests } from './request-metrics.ts'
import { showConnections } from './store-metrics.ts'

/** What metrics look at when somebody asks for them. */
export interface Sources {
  /** The version of the contract that is served. */
  readonly version: string
  readonly operationIds: readonly string[]
  readonly connections?: (() => Connections) | undefined
  readonly shared?: (() => SharedLimitsState) | undefined
  readonly load?: () => Load | undefined
  readonly door?: () => Door | undefined
}

/** What the service counts and measures, and how it is told. */
export interface Metrics {
  readonly observers: readonly RequestObserver[]
  readonly onRejected: (by: RejectedBy) => void
  /** The media type of the text, with its version. */
  readonly mediaType: string
  /** All of it, in the text format of Prometheus. */
  readonly text: () => Promise<string>
}

/** Makes the metrics of one service. */
export function createMetrics(sources: Sources): Metrics {
  const { version, operationIds, connections, shared, load, door } = sources
  const register = new Registry()
  const registers = [register]
  collectDefaultMetrics({ register })
  const info = new Gauge({
    name: 'animal_store_info',
    help: 'The version of the contract that is served.',
    labelNames: ['version'],
    registers,
  })
  info.set({ version }, 1)
  if (connections !== undefined) showConnections(registers, connections)
  if (shared !== undefined) showSharedLimits(registers, shared)
  if (load !== undefined) showLoad(registers, load)
  if (door !== undefined) showDoor(registers, door)
  return {
    observers: [measureRequests(registers, operationIds), countDeprecatedUse(registers)],
    onRejected: countRejected(registers),
    mediaType: register.contentType,
    text: () => register.metrics(),
  }
}
