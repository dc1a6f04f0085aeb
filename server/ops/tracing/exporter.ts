import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { ExportResultCode } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import { reasonOf } from '../../reason.ts'

/** Milliseconds that sending a batch may take, with all that is tried again. */
export const exportPatience = 3_000

export interface Exporter extends SpanExporter {
  /** Ends what is still being sent. */
  readonly hangUp: () => void
}

/**
 * Makes what sends spans to a collector by OTLP over HTTP. When they cannot be sent they are dropped,
 * and the log says so once, and again when they can.
 */
export function createExporter(endpoint: string, log: Logger): Exporter {
  const { protocol, host } = new URL(endpoint)
  const agent = new (protocol === 'https:' ? HttpsAgent : HttpAgent)({ keepAlive: true })
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    timeoutMillis: exportPatience,
    httpAgentOptions: () => agent,
  })
  let isLost = false

  function note(error: Error | undefined): void {
    // Without the path and the credentials that the variable may have.
    const collector = `${protocol}//${host}`
    if (error !== undefined && !isLost) log.warn({ collector, reason: reasonOf(error) }, lost)
    if (error === undefined && isLost) log.info({ collector }, 'traces are sent again')
    isLost = error !== undefined
  }

  return {
    export(spans, settle) {
      exporter.export(spans, (result) => {
        const { code, error = new Error('no reason given') } = result
        note(code === ExportResultCode.SUCCESS ? undefined : error)
        settle(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    hangUp() {
      // After an error that is not one of the network's, nothing is tried again.
      for (const socket of Object.values(agent.sockets).flatMap((sockets = []) => sockets)) {
        socket.destroy(new Error('the service ended before there was an answer'))
      }
      agent.destroy()
    },
  }
}

const lost =
  'Traces cannot be sent now, and are dropped. See that OTEL_EXPORTER_OTLP_ENDPOINT names a collector that takes OTLP over HTTP and can be reached from here; it is tried again every few seconds.'
