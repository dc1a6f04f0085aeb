import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from '@opentelemetry/api'
import {
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { Api } from '../../api.ts'
import { createExporter, exportPatience } from './exporter.ts'
import { traceRequests } from './request-spans.ts'
import { traceStore } from './store-spans.ts'
import type { Tracing, TracingConfig } from './tracing.ts'

/** Begins to make traces, and to send them every few seconds. */
export function startTracing(
  config: TracingConfig,
  { version, basePath }: Pick<Api, 'version' | 'basePath'>,
  log: Logger,
): Tracing {
  const exporter = createExporter(config.tracesEndpoint, log)
  const ours = { 'service.name': config.serviceName, 'service.version': version }
  const detectors = [serviceInstanceIdDetector, envDetector]
  const provider = new TracerProvider({
    resource: resourceFromAttributes(ours).merge(detectResources({ detectors })),
    // Whoever called decides where they trace already: a trace with holes helps nobody.
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(config.tracesShare) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: exportPatience })],
  })
  const tracer = provider.getTracer('animal-store', version)
  const current = new AsyncLocalStorage<Context>()
  const system = config.databaseUrl.startsWith('sqlite:') ? 'sqlite' : 'postgresql'
  return {
    step: traceRequests(tracer, current, basePath),
    traced: (store) => traceStore(store, tracer, current, system),
    async close(milliseconds) {
      const isOver = new AbortController()
      const late = wait(milliseconds, undefined, { signal: isOver.signal }).catch(() => undefined)
      // What could not be sent was told by the exporter.
      await Promise.race([provider.shutdown().catch(() => undefined), late])
      isOver.abort()
      exporter.hangUp()
    },
  }
}
