import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { PlainError } from '../plain-error.ts'
import type { OpsThreadData } from './ops-thread.ts'

/** The path of the metrics. */
export const metricsPath = '/metrics'

/** Milliseconds between two heartbeats of the event loop. */
const heartbeatInterval = 500

/** The server for operators, on a port of its own. */
export interface OpsServer {
  readonly metricsUrl: string
  readonly close: () => Promise<void>
}

/**
 * Serves metrics and health checks; rejects with a `PlainError` if it cannot listen. It runs in a
 * worker thread, so that `/livez` does not wait for the event loop of the service.
 */
export async function openOpsServer(
  host: string,
  port: number,
  readMetrics: () => Promise<string>,
): Promise<OpsServer> {
  const heartbeat = new BigInt64Array(new SharedArrayBuffer(8))
  const beat = () => Atomics.store(heartbeat, 0, process.hrtime.bigint())
  beat()
  const timer = setInterval(beat, heartbeatInterval).unref()
  const workerData: OpsThreadData = { host, port, heartbeat }
  const thread = new Worker(new URL('./ops-thread.ts', import.meta.url), { workerData })
  async function close(): Promise<void> {
    clearInterval(timer)
    await thread.terminate()
  }
  const [origin] = await once(thread, 'message').catch(async (error: Error) => {
    await close()
    throw new PlainError(error.message)
  })
  // Every other message asks for the metrics.
  thread.on('message', async () => {
    thread.postMessage(await readMetrics().catch(() => undefined))
  })
  thread.unref()
  return { metricsUrl: origin + metricsPath, close }
}
