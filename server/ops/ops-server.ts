import { createServer, listen } from '../node-http.ts'
import { livePath } from './health.ts'

/** The path of the metrics. */
export const metricsPath = '/metrics'

const plain = { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' }
/** The text format of Prometheus. */
const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

/** The server for operators, on a port of its own. */
export interface OpsServer {
  readonly metricsUrl: string
  readonly close: () => Promise<void>
}

/** Serves metrics and a liveness probe; rejects with a `PlainError` if it cannot listen. */
export async function openOpsServer(
  host: string,
  port: number,
  readMetrics: () => Promise<string>,
): Promise<OpsServer> {
  const server = createServer(async ({ method, url = '' }, response) => {
    const [path] = url.split('?', 1)
    if (path !== metricsPath && path !== livePath) {
      const text = `There is nothing here but ${metricsPath} and ${livePath}.\n`
      response.writeHead(404, plain).end(text)
    } else if (method !== 'GET' && method !== 'HEAD') {
      response.writeHead(405, { ...plain, Allow: 'GET, HEAD' }).end('This can only be read.\n')
    } else if (path === livePath) response.writeHead(200, plain).end('ok\n')
    else response.writeHead(200, { ...plain, 'Content-Type': metricsType }).end(await readMetrics())
  })
  const origin = await listen(server, host, port, 'OPS_')
  return {
    metricsUrl: origin + metricsPath,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}
