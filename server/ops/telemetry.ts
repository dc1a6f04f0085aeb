import type { Logger } from 'pino'
import type { RejectedBy } from '../auth/authenticate.ts'
import type { Config } from '../config.ts'
import { createAccessLog } from './access-log.ts'
import type { MetricSources } from './metrics.ts'
import { metricsPath, openOpsServer } from './ops-server.ts'
import type { RequestObserver } from './request-observer.ts'

/** The access log, the metrics and the server for operators. */
export interface Telemetry {
  readonly observers: readonly RequestObserver[]
  /** Called for every request that a rate limit rejects. */
  readonly onRejected?: (by: RejectedBy) => void
  /** Absent where there are no metrics. */
  readonly metricsUrl?: string
  readonly close: () => Promise<void>
}

/** Starts what is configured; rejects with a `PlainError` if the port for operators is taken. */
export async function openTelemetry(
  config: Config,
  log: Logger,
  sources: MetricSources,
  basePath: string,
): Promise<Telemetry> {
  const accessLog = log.isLevelEnabled('info') ? [createAccessLog(log, basePath)] : []
  if (config.opsPort === 'off') return { observers: accessLog, close: async () => undefined }
  const { createMetrics } = await import('./metrics.ts')
  const metrics = createMetrics(sources)
  const { origin, close } = await openOpsServer(config, config.opsPort, metrics)
  return {
    observers: [...accessLog, ...metrics.observers],
    onRejected: metrics.onRejected,
    metricsUrl: origin + metricsPath,
    close,
  }
}
