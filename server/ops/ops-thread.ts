import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import { createServer, listen } from '../node-http.ts'
import { livePath } from './health.ts'

/** What the service gives to the thread. */
export interface OpsThreadData {
  readonly host: string
  readonly port: number
  /** When the event loop of the service ran last, in nanoseconds of `process.hrtime`. */
  readonly heartbeat: BigInt64Array
}

/** The first message of the thread. */
export type OpsThreadStart = { readonly metricsUrl: string } | { readonly problem: string }

/** Seconds without a heartbeat after which the process should be restarted. */
const maxSecondsBlocked = 10

const { host, port, heartbeat }: OpsThreadData = workerData
const metricsPath = '/metrics'
const plain = { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' }
/** The text format of Prometheus. */
const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

const server = createServer(async ({ method, url = '' }, response) => {
  const [path] = url.split('?', 1)
  if (path !== metricsPath && path !== livePath) {
    const text = `There is nothing here but ${metricsPath} and ${livePath}.\n`
    response.writeHead(404, plain).end(text)
  } else if (method !== 'GET' && method !== 'HEAD') {
    response.writeHead(405, { ...plain, Allow: 'GET, HEAD' }).end('This can only be read.\n')
  } else if (path === livePath) sendLiveness(response)
  else {
    const metrics = await readMetrics()
    if (typeof metrics === 'string') {
      response.writeHead(200, { ...plain, 'Content-Type': metricsType }).end(metrics)
    } else response.writeHead(500, plain).end(`The metrics cannot be read: ${metrics.problem}\n`)
  }
})
const started: OpsThreadStart = await listen(server, host, port, 'OPS_').then(
  (origin) => ({ metricsUrl: origin + metricsPath }),
  (error: Error) => ({ problem: error.message }),
)
parentPort?.postMessage(started)

function sendLiveness(response: ServerResponse): void {
  const seconds = Number(process.hrtime.bigint() - Atomics.load(heartbeat, 0)) / 1e9
  if (seconds < maxSecondsBlocked) response.writeHead(200, plain).end('ok\n')
  else response.writeHead(503, plain).end(`event loop blocked for ${seconds.toFixed()} s\n`)
}

type Metrics = string | { readonly problem: string }

let metrics: Promise<Metrics> | undefined

/** Gets the metrics from the service, as soon as its event loop is free; requests that wait share them. */
function readMetrics(): Promise<Metrics> {
  metrics ??= askForMetrics().finally(() => {
    metrics = undefined
  })
  return metrics
}

async function askForMetrics(): Promise<Metrics> {
  if (parentPort === null) throw new Error('This is not a worker thread.')
  parentPort.postMessage('metrics')
  return (await once(parentPort, 'message'))[0]
}
