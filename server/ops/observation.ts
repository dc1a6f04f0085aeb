import type { Logger } from 'pino'
import type { RejectedBy } from '../auth/authenticate.ts'
import type { Config } from '../config.ts'
import type { Sources } from './metrics/metrics.ts'
import { metricsPath, openOpsServer } from './ops-server.ts'
import { logRequests } from './request-log.ts'
import type { RequestObserver } from './request-observer.ts'

/** What makes visible how a service does; what nobody reads is not made. */
export interface Observation {
  /** See how each request comes out. */
  readonly observers: readonly RequestObserver[]
  /** Told of every request that a limit refused. */
  readonly onRejected?: (by: RejectedBy) => void
  /** Where the metrics are; absent when there are none. */
  readonly metricsUrl?: string
  readonly close: () => Promise<void>
}

/** Begins to observe; rejects with a `PlainError` when the port for operators is taken. */
export async function openObservation(
  config: Config,
  log: Logger,
  sources: Sources,
  basePath: string,
): Promise<Observation> {
  const lines = log.isLevelEnabled('info') ? [logRequests(log, basePath)] : []
  if (config.opsPort === 'off') return { observers: lines, close: async () => undefined }
  const { createMetrics } = await import('./metrics/metrics.ts')
  const metrics = createMetrics(sources)
  const { origin, close } = await openOpsServer(config, config.opsPort, metrics)
  return {
    observers: [...lines, ...metrics.observers],
    onRejected: metrics.onRejected,
    metricsUrl: origin + metricsPath,
    close,
  }
}
