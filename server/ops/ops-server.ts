import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '../config.ts'
import { splitTarget } from '../contract/request/target.ts'
import { createServer } from '../node-http.ts'
import { livePath } from './health.ts'
import { listen } from './http-server.ts'
import type { Metrics } from './metrics/metrics.ts'

/** Where the metrics are. */
export const metricsPath = '/metrics'

/** What operators reach, on a port of its own. */
export interface OpsServer {
  readonly origin: string
  readonly close: () => Promise<void>
}

/** Listens for those who collect metrics, and for probes; rejects with a `PlainError` when it cannot. */
export async function openOpsServer(
  { opsHost: host }: Pick<Config, 'opsHost'>,
  port: number,
  metrics: Pick<Metrics, 'mediaType' | 'text'>,
): Promise<OpsServer> {
  const server = createServer((request, response) => {
    answer(request, response, metrics).catch(() => response.destroy())
  })
  const names = { host: 'OPS_HOST', port: 'OPS_PORT' }
  const origin = await listen(server, { host, port }, names)
  return {
    origin,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

async function answer(
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
  { mediaType, text }: Pick<Metrics, 'mediaType' | 'text'>,
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
    response.writeHead(200, plain).end('ok\n')
  } else {
    const metrics = await text()
    response.writeHead(200, { 'Content-Type': mediaType }).end(metrics)
  }
}

const plain = { 'Content-Type': 'text/plain; charset=utf-8' }
