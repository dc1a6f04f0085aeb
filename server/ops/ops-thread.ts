import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { createServer, listen } from '../process/node-http.ts'
import { livePath } from './health.ts'

/** The data that the service passes to the thread. */
export interface OpsThreadData {
  readonly host: string
  readonly port: number
  /** When the event loop of the service ran last, in nanoseconds of `process.hrtime`. */
  readonly heartbeat: BigInt64Array
}

/** Seconds without a heartbeat after which the process should be restarted. */
const maxSecondsBlocked = 10

const { host, port, heartbeat }: OpsThreadData = workerData
const service = parentPort
if (service === null) {
  throw new Error('This is not a worker thread.')
}
const metricsPath = '/metrics'
const plain = { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' }
/** The text format of Prometheus. */
const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

let metrics: Promise<(string | Error)[]> | undefined

const server = createServer(async ({ method, url = '' }, response) => {
  const [path] = url.split('?', 1)
  if (path !== metricsPath && path !== livePath) {
    const text = `There is nothing here but ${metricsPath} and ${livePath}.\n`
    response.writeHead(404, plain).end(text)
  } else if (method !== 'GET' && method !== 'HEAD') {
    response.writeHead(405, { ...plain, Allow: 'GET, HEAD' }).end('This can only be read.\n')
  } else if (path === livePath) {
    const seconds = Number(process.hrtime.bigint() - Atomics.load(heartbeat, 0)) / 1e9
    if (seconds < maxSecondsBlocked) {
      response.writeHead(200, plain).end('ok\n')
    } else {
      response.writeHead(503, plain).end(`event loop blocked for ${seconds.toFixed()} s\n`)
    }
  } else {
    if (metrics === undefined) {
      service.postMessage('metrics')
      // They come when the event loop of the service is free; requests that wait share them.
      metrics = once(service, 'message').finally(() => {
        metrics = undefined
      })
    }
    const [text] = await metrics
    if (text instanceof Error) {
      response.writeHead(500, plain).end(`The metrics cannot be read: ${text.message}\n`)
    } else {
      response.writeHead(200, { ...plain, 'Content-Type': metricsType }).end(text)
    }
  }
})
service.postMessage(
  await listen(server, host, port, 'OPS_').then(
    (origin) => origin + metricsPath,
    (error: Error) => error,
  ),
)
