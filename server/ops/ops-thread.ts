import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { createServer, listen } from '../process/node-http.ts'
import { livePath } from './health.ts'

/** The data that the service passes to the thread. */
export interface OpsThreadData {
  readonly host: string
  readonly port: number
  /** When the event loop of the service ran last, in nanoseconds of `process.hrtime`: its one element. */
  readonly heartbeat: BigInt64Array
}

/** The first message of the thread: where it listens, or why it does not. */
export type StartMessage =
  | { readonly metricsUrl: string }
  | { readonly metricsUrl?: undefined; readonly error: Error }

/** The response of the service to a later message: the metrics, or why they cannot be read. */
export type MetricsMessage =
  | { readonly text: string }
  | { readonly text?: undefined; readonly reason: string }

/** Seconds without a heartbeat after which the process should be restarted. */
const maxSecondsBlocked = 10

const { host, port, heartbeat }: OpsThreadData = workerData
const service = openPort()

function openPort(): MessagePort {
  if (parentPort === null) {
    throw new Error('This is not a worker thread.')
  }
  return parentPort
}

const metricsPath = '/metrics'
/** The header fields of plain texts. */
const plain = { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' }
/** The text format of Prometheus. */
const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

/** The metrics that were asked for. Requests that wait for them share them. */
let awaitedMetrics: Promise<MetricsMessage> | undefined

const server = createServer(async ({ method, url = '' }, response) => {
  const [path] = url.split('?', 1)
  if (path !== metricsPath && path !== livePath) {
    const text = `There is nothing here but ${metricsPath} and ${livePath}.\n`
    response.writeHead(404, plain).end(text)
  } else if (method !== 'GET' && method !== 'HEAD') {
    response.writeHead(405, { ...plain, Allow: 'GET, HEAD' }).end('This can only be read.\n')
  } else if (path === livePath) {
    sendLiveness(response)
  } else {
    await sendMetrics(response)
  }
})

function sendLiveness(response: ServerResponse): void {
  const secondsBlocked = secondsSinceHeartbeat()
  if (secondsBlocked < maxSecondsBlocked) {
    response.writeHead(200, plain).end('ok\n')
  } else {
    const text = `event loop blocked for ${secondsBlocked.toFixed()} s\n`
    response.writeHead(503, plain).end(text)
  }
}

function secondsSinceHeartbeat(): number {
  const nanoseconds = process.hrtime.bigint() - Atomics.load(heartbeat, 0)
  return Number(nanoseconds) / 1e9
}

async function sendMetrics(response: ServerResponse): Promise<void> {
  awaitedMetrics ??= askForMetrics().finally(() => {
    awaitedMetrics = undefined
  })
  const metrics = await awaitedMetrics
  if (metrics.text === undefined) {
    response.writeHead(500, plain).end(`The metrics cannot be read: ${metrics.reason}\n`)
  } else {
    response.writeHead(200, { ...plain, 'Content-Type': metricsType }).end(metrics.text)
  }
}

/** Asks the service for its metrics, which come when its event loop is free. */
async function askForMetrics(): Promise<MetricsMessage> {
  service.postMessage('metrics')
  const [message] = await once(service, 'message')
  return message
}

const startMessage: StartMessage = await listen(server, host, port, 'OPS_').then(
  (origin) => ({ metricsUrl: origin + metricsPath }),
  (error: Error) => ({ error }),
)
service.postMessage(startMessage)
