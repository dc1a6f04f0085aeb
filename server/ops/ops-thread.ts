import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { MessageChannel, type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { splitTarget } from '../contract/framing.ts'
import { createServer } from '../node-http.ts'
import { livePath } from './health.ts'
import { listen } from './listen.ts'
import { metricsPath } from './ops-server.ts'

/** What the service hands to the thread. */
export interface OpsThreadData {
  readonly host: string
  readonly port: number
  readonly mediaType: string
  /** When the event loop of the service ran last, in nanoseconds of `process.hrtime`. */
  readonly heartbeat: BigInt64Array
  /** Takes a port for each scrape, and sends the metrics to it. */
  readonly scrapes: MessagePort
}

/** The first message of the thread. */
export type OpsThreadStarted = { readonly origin: string } | { readonly failed: string }

/** Seconds without a heartbeat after which the process is to be replaced. */
const mostSecondsBlocked = 10

const { host, port, mediaType, heartbeat, scrapes }: OpsThreadData = workerData
const plain = { 'Content-Type': 'text/plain; charset=utf-8' }

const server = createServer((request, response) => {
  respond(request, response).catch(() => response.destroy())
})
parentPort?.postMessage(await start())

function start(): Promise<OpsThreadStarted> {
  const names = { host: 'OPS_HOST', port: 'OPS_PORT' }
  return listen(server, { host, port }, names).then(
    (origin) => ({ origin }),
    (error: Error) => ({ failed: error.message }),
  )
}

async function respond(
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader('X-Content-Type-Options', 'nosniff')
  const { path } = splitTarget(url)
  if (path !== metricsPath && path !== livePath) {
    response
      .writeHead(404, plain)
      .end(`There is nothing here but ${metricsPath} and ${livePath}.\n`)
  } else if (method !== 'GET' && method !== 'HEAD') {
    response.writeHead(405, { ...plain, Allow: 'GET, HEAD' }).end('This can only be read.\n')
  } else if (path === livePath) {
    respondLive(response)
  } else {
    const metrics = await readMetrics()
    response.writeHead(200, { 'Content-Type': mediaType }).end(metrics)
  }
}

function respondLive(response: ServerResponse): void {
  const blocked = Number(process.hrtime.bigint() - Atomics.load(heartbeat, 0)) / 1e9
  if (blocked < mostSecondsBlocked) response.writeHead(200, plain).end('ok\n')
  else response.writeHead(503, plain).end(`event loop blocked for ${blocked.toFixed()} s\n`)
}

/** Gets the metrics from the service, as soon as its event loop is free. */
async function readMetrics(): Promise<string> {
  const { port1, port2 } = new MessageChannel()
  scrapes.postMessage(port2, [port2])
  const metrics: string | undefined = (await once(port1, 'message'))[0]
  port1.close()
  if (metrics === undefined) throw new Error('The metrics cannot be read.')
  return metrics
}
