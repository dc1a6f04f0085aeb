import { once } from 'node:events'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { Config } from '../config.ts'
import { PlainError } from '../plain-error.ts'
import type { Metrics } from './metrics.ts'
import type { OpsThreadData, OpsThreadStarted } from './ops-thread.ts'

/** The path of the metrics. */
export const metricsPath = '/metrics'

/** Milliseconds between two heartbeats of the event loop. */
const heartbeatInterval = 500

/** The server for operators, on a port of its own. */
export interface OpsServer {
  readonly origin: string
  readonly close: () => Promise<void>
}

/**
 * Serves metrics and health checks; rejects with a `PlainError` if it cannot listen. It runs in a
 * worker thread, so that `/livez` does not wait for the event loop of the service.
 */
export async function openOpsServer(
  { opsHost: host }: Pick<Config, 'opsHost'>,
  port: number,
  { mediaType, text }: Pick<Metrics, 'mediaType' | 'text'>,
): Promise<OpsServer> {
  const { port1: scrapes, port2 } = new MessageChannel()
  scrapes.on('message', async (scrape: MessagePort) => {
    scrape.postMessage(await text().catch(() => undefined))
  })
  scrapes.unref()
  const heartbeat = new BigInt64Array(new SharedArrayBuffer(8))
  const beat = () => Atomics.store(heartbeat, 0, process.hrtime.bigint())
  beat()
  const timer = setInterval(beat, heartbeatInterval).unref()
  const workerData: OpsThreadData = { host, port, mediaType, heartbeat, scrapes: port2 }
  const file = new URL('./ops-thread.ts', import.meta.url)
  const thread = new Worker(file, { workerData, transferList: [port2] })
  async function close(): Promise<void> {
    clearInterval(timer)
    await thread.terminate()
  }
  const started: OpsThreadStarted = (await once(thread, 'message'))[0]
  if ('failed' in started) {
    await close()
    throw new PlainError(started.failed)
  }
  thread.unref()
  return { origin: started.origin, close }
}
