import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import { createServer, listen } from '../node-http.ts'
import { livePath } from './health.ts'
import { metricsPath } from './ops-server.ts'

/** What the service hands to the thread. */
export interface OpsThreadData {
  readonly host: string
  readonly port: number
  /** When the event loop of the service ran last, in nanoseconds of `process.hrtime`. */
  readonly heartbeat: BigInt64Array
}

/** The first message of the thread. */
export type OpsThreadStarted = { readonly origin: string } | { readonly failed: string }

/** Seconds without a heartbeat after which the process is to be replaced. */
const mostSecondsBlocked = 10

const { host, port, heartbeat }: OpsThreadData = workerData
/** The media type of the text format of Prometheus. */
const metricsType = 'text/plain; version=0.0.4; charset=utf-8'
const plain = { 'Content-Type': 'text/plain; charset=utf-8' }

const server = createServer(async ({ method, url = '' }, response) => {
  response.setHeader('X-Content-Type-Options', 'nosniff')
  const [path] = url.split('?', 1)
  if (path !== metricsPath && path !== livePath) {
    const text = `There is nothing here but ${metricsPath} and ${livePath}.\n`
    response.writeHead(404, plain).end(text)
  } else if (method !== 'GET' && method !== 'HEAD') {
    response.writeHead(405, { ...plain, Allow: 'GET, HEAD' }).end('This can only be read.\n')
  } else if (path === livePath) {
    respondLive(response)
  } else {
    const metrics = await readMetrics()
    if (metrics === undefined) response.destroy()
    else response.writeHead(200, { 'Content-Type': metricsType }).end(metrics)
  }
})
const started: OpsThreadStarted = await listen(server, host, port, 'OPS_').then(
  (origin) => ({ origin }),
  (error: Error) => ({ failed: error.message }),
)
parentPort?.postMessage(started)

function respondLive(response: ServerResponse): void {
  const blocked = Number(process.hrtime.bigint() - Atomics.load(heartbeat, 0)) / 1e9
  if (blocked < mostSecondsBlocked) response.writeHead(200, plain).end('ok\n')
  else response.writeHead(503, plain).end(`event loop blocked for ${blocked.toFixed()} s\n`)
}

/** Gets the metrics from the service, as soon as its event loop is free. */
async function readMetrics(): Promise<string | undefined> {
  if (parentPort === null) throw new Error('This is not a worker thread.')
  parentPort.postMessage('metrics')
  return (await once(parentPort, 'message'))[0]
}
