import type { RequestHandler } from 'express'
import type { Logger } from 'pino'
import type { Api } from '../../api.ts'
import type { Config } from '../../config.ts'
import type { Store } from '../../store/store.ts'

/** Makes traces (OpenTelemetry) of requests, and sends them. */
export interface Tracing {
  /** The step that makes a span of each request; what follows it may add spans below. */
  readonly step: RequestHandler
  /** A store whose work for a request is a span below that of the request. */
  readonly traced: (store: Store) => Store
  /** Sends what was not sent yet, in so many milliseconds. */
  readonly close: (milliseconds: number) => Promise<void>
}

/** What tracing is told by the environment. */
export type TracingConfig = Pick<
  Config,
  'tracesEndpoint' | 'tracesShare' | 'serviceName' | 'databaseUrl'
>

/** Begins to trace; undefined, and nothing is loaded, where nobody said where traces go. */
export async function openTracing(
  config: TracingConfig,
  api: Pick<Api, 'version' | 'basePath'>,
  log: Logger,
): Promise<Tracing | undefined> {
  if (config.tracesEndpoint === '') return undefined
  const { startTracing } = await import('./start-tracing.ts')
  return startTracing(config, api, log)
}
