import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { OperatorError, reasonOf } from '../process/operator-error.ts'
import type { MetricsMessage, OpsThreadData, StartMessage } from './ops-thread.ts'

/** Milliseconds between two heartbeats of the event loop. */
const heartbeatInterval = 500

/**
 * Serves metrics and a liveness probe on a port of its own, in a worker thread: `/livez` does not wait
 * for the event loop of the service. Rejects with an `OperatorError` if it cannot listen.
 */
export async function openOpsServer(
  host: string,
  port: number,
  readMetrics: () => Promise<string>,
) {
  const heartbeat = new BigInt64Array(new SharedArrayBuffer(8))
  const beat = () => Atomics.store(heartbeat, 0, process.hrtime.bigint())
  beat()
  const workerData: OpsThreadData = { host, port, heartbeat }
  const thread = new Worker(new URL('./ops-thread.ts', import.meta.url), { workerData })
  const [started]: StartMessage[] = await once(thread, 'message')
  if (started?.metricsUrl === undefined) {
    await thread.terminate()
    throw new OperatorError(started?.error.message, { cause: started?.error })
  }

  const timer = setInterval(beat, heartbeatInterval).unref()
  // Every message after the first one asks for the metrics.
  thread.on('message', async () => {
    const message: MetricsMessage = await readMetrics().then(
      (text) => ({ text }),
      (error: unknown) => ({ reason: reasonOf(error) }),
    )
    thread.postMessage(message)
  })
  thread.unref()
  return {
    metricsUrl: started.metricsUrl,
    async close(): Promise<void> {
      clearInterval(timer)
      await thread.terminate()
    },
  }
}
