import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import express, { type Express } from 'express'
import { afterAll, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { sampled } from '../../../../server/contract/handler.ts'
import type { Api } from '../../../../server/served-api.ts'
import { bundleBesidePlatform, toApi } from '../../../helpers/compiled-api.ts'
import { startServiceOf } from '../../../helpers/service.ts'

const orders = [
  { id: 1, item: 'Saw', count: 2 },
  { id: 2, item: 'Écrou' },
]

/** Returns an express application that implements the shop, with three drifts. */
export function createShop(): Express {
  const app = express()
  app.use('/shop/v1', express.json())
  app.get('/shop/v1/orders', (request, response) => {
    response.set('X-Total', String(orders.length))
    if (request.get('Accept-Encoding') === 'gzip') {
      response
        .set('Content-Encoding', 'gzip')
        .type('json')
        .send(gzipSync(JSON.stringify(orders)))
    } else {
      response.json(orders)
    }
  })
  // Drift: 202 is not declared.
  app.post('/shop/v1/orders', (request, response) => {
    response.status(request.body.item === 'later' ? 202 : 201).json({ id: 3, ...request.body })
  })
  // Drift: the id of order 2 is a text.
  app.get('/shop/v1/orders/:id', ({ params: { id } }, response) => {
    const found = orders.find((order) => String(order.id) === id)
    if (found === undefined) {
      response.status(404).json({ error: `no order ${id}` })
    } else {
      response.json(id === '2' ? { ...found, id: 'two' } : found)
    }
  })
  app.delete('/shop/v1/orders/:id', (_request, response) => void response.status(204).end())
  // Drift: customer 2 has no name.
  app.get('/shop/v1/customers/:id', ({ params: { id } }, response) => {
    response.json(id === '2' ? { id: 2, email: 'secret@example.com' } : { id: 1, name: 'Ada' })
  })
  app.get('/shop/v1/reports/stream', (_request, response) => {
    response.set('Content-Type', 'text/csv').set('Trailer', 'X-Rows').write('a,b\n')
    response.write('1,2\n')
    response.addTrailers({ 'X-Rows': '1' })
    response.end()
  })
  app.get('/shop/v1/health', (_request, response) => void response.json({ ok: true }))
  return app
}

/** Serves an application on a free port, until the test ends. */
export async function serve(app: RequestListener, port = 0): Promise<Server & { url: string }> {
  const server = createServer(app).listen(port, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port: bound } = server.address() as AddressInfo
  return Object.assign(server, { url: `http://127.0.0.1:${bound}` })
}

/** The description of the shop, compiled. */
const description = await bundleBesidePlatform(
  parse(readFileSync(new URL('shop.yaml', import.meta.url), 'utf8')),
  {},
  afterAll,
)

/** The shop without handlers. */
export const shopApi: Api = toApi(
  description,
  () => sampled,
  ({ apiKeys }) => ({ apiKey: apiKeys('apiKey') }),
)

/** Starts a service on the shop, or on another API, which forwards to an application. */
export async function startInFrontOf(
  app: RequestListener,
  environment: Readonly<Record<string, string>> = {},
  api = shopApi,
) {
  const upstream = await serve(app)
  const variables = { UPSTREAM_URL: upstream.url, OPS_PORT: '0', ...environment }
  const service = await startServiceOf(api, variables)
  const auth = { Authorization: `Bearer ${service.apiKey}` }
  return { ...service, upstream, auth }
}
