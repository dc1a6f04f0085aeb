import { once } from 'node:events'
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import type { Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import express, { type RequestHandler } from 'express'
import { expect, test } from 'vitest'
import { expectMetric, readMetrics } from '../../helpers/metrics.ts'
import type { UncheckedJson } from '../../helpers/unchecked-json.ts'
import { createShop, serve, shopApi, startInFrontOf } from './support/shop.ts'

const base = '/shop/v1'

interface Sent {
  readonly method?: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Buffer
}

/** Sends a request with node:http, which decodes nothing; returns all of the response. */
async function ask(origin: string, path: string, { method, headers, body }: Sent = {}) {
  const outgoing = request(origin + path, { method: method ?? 'GET', headers, agent: false })
  outgoing.end(body)
  const [response]: IncomingMessage[] = await once(outgoing, 'response')
  if (response === undefined) {
    throw new Error('There is no response.')
  }
  const content = await buffer(response)
  const { statusCode: status, statusMessage, trailers } = response
  return { status, statusMessage, content, trailers, headers: response.headers }
}

/** Headers that the service adds, and those of one connection. */
const added = [
  ...['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'],
  ...['x-content-type-options', 'date', 'connection', 'keep-alive'],
]

/** Returns what the upstream decides on in a response. */
function ofUpstream({ headers, ...response }: Awaited<ReturnType<typeof ask>>) {
  const own = Object.entries(headers).filter(([name]) => !added.includes(name))
  return { ...response, headers: Object.fromEntries(own) }
}

const valid: readonly (readonly [string, string, Sent])[] = [
  ['JSON', '/orders', {}],
  ['a query', '/orders?limit=%35', {}],
  ['gzip', '/orders', { headers: { 'Accept-Encoding': 'gzip' } }],
  ['HEAD', '/orders', { method: 'HEAD' }],
  ['a declared error', '/orders/9', {}],
  ['204', '/orders/1', { method: 'DELETE' }],
  [
    'a body',
    '/orders',
    {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{ "item": "Scie\\u00e9",\n "count": 1 }',
    },
  ],
  ['chunks with a trailer', '/reports/stream', {}],
]

test.for(valid)('a response to %s is sent byte for byte', async ([, path, sent]) => {
  const { origin, upstream, auth, metricsUrl } = await startInFrontOf(createShop())
  const direct = await ask(upstream.url, base + path, sent)
  const headers = { ...sent.headers, ...auth }
  const forwarded = await ask(origin, base + path, { ...sent, headers })

  expect(ofUpstream(forwarded)).toEqual(ofUpstream(direct))
  expect(forwarded.headers['x-ratelimit-limit']).toBeDefined()
  const drifts = [...(await readMetrics({ metricsUrl }))].filter(([name]) => {
    return name.startsWith('api_upstream_drift_total')
  })
  expect(drifts.length).toBeGreaterThan(0)
  expect(drifts.filter(([, count]) => count > 0)).toEqual([])
})

test('304 and validators of the upstream reach the client', async () => {
  const { origin, auth } = await startInFrontOf(createShop())
  const first = await ask(origin, `${base}/orders/1`, { headers: auth })
  const etag = String(first.headers.etag)
  expect(first.headers['cache-control']).toBeUndefined()

  const headers = { ...auth, 'If-None-Match': etag }
  const second = await ask(origin, `${base}/orders/1`, { headers })
  expect(second).toMatchObject({ status: 304, headers: { etag } })
  expect(second.content).toHaveLength(0)
})

/** Responds with what it has received. */
const echo: RequestHandler = async (request, response) => {
  const content = await buffer(request)
  const { method, originalUrl: target, rawHeaders } = request
  response.json({ method, target, rawHeaders, content: content.toString('latin1') })
}

async function echoed(service: { origin: string }, path: string, sent: Sent) {
  const { content } = await ask(service.origin, base + path, sent)
  const received: UncheckedJson = JSON.parse(content.toString())
  const { rawHeaders, ...others } = received
  const headers: Record<string, string[]> = {}
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name: string = rawHeaders[index].toLowerCase()
    headers[name] = [...(headers[name] ?? []), rawHeaders[index + 1]]
  }
  return { ...others, headers }
}

test('the upstream gets method, target, headers and body as they were sent', async () => {
  const service = await startInFrontOf(express().use(echo))
  const body = Buffer.from('{"item":"Scie \u00e9",  "count":1.0}')
  const sent = {
    method: 'POST',
    headers: { ...service.auth, 'Content-Type': 'application/json', 'X-Tag': ['a', 'b'] },
    body,
  }
  const received = await echoed(service, '/orders', sent)
  expect(received).toMatchObject({ method: 'POST', target: `${base}/orders` })
  expect(Buffer.from(received.content, 'latin1')).toEqual(body)
  expect(received.headers).toMatchObject({
    'x-tag': ['a', 'b'],
    'content-length': [String(body.length)],
    host: [new URL(service.upstream.url).host],
    authorization: [service.auth.Authorization],
  })

  const { target } = await echoed(service, '/orders?limit=%31%30', { headers: service.auth })
  expect(target).toBe(`${base}/orders?limit=%31%30`)
})

test('hop-by-hop headers are removed, and those that name the client cannot be forged', async () => {
  const service = await startInFrontOf(express().use(echo))
  const forged = {
    'X-Caller-Id': 'root',
    X_Caller_Id: 'root',
    'X-Forwarded-For': '10.0.0.1',
    Forwarded: 'for=10.0.0.1',
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-Host': 'evil.example',
  }
  const ofConnection = {
    Connection: 'close, X-Private',
    'X-Private': '1',
    TE: 'trailers',
    'Proxy-Authorization': 'Basic YTpi',
  }
  const headers = { ...service.auth, ...forged, ...ofConnection, Host: 'api.example' }
  const received = await echoed(service, '/orders', { headers })

  const [caller] = received.headers['x-caller-id']
  expect(caller).toMatch(/^key_/)
  expect(received.headers).toMatchObject({
    'x-caller-id': [caller],
    'x-forwarded-for': ['127.0.0.1'],
    'x-forwarded-proto': ['http'],
    'x-forwarded-host': ['api.example'],
    connection: ['keep-alive'],
  })
  for (const name of ['x_caller_id', 'forwarded', 'x-private', 'te', 'proxy-authorization']) {
    expect(received.headers).not.toHaveProperty(name)
  }
})

test('behind a proxy, X-Forwarded-For is continued', async () => {
  const service = await startInFrontOf(express().use(echo), { TRUST_PROXY: '1' })
  const forwarded = { 'X-Forwarded-For': '192.0.2.7', 'X-Forwarded-Proto': 'https' }
  const received = await echoed(service, '/orders', { headers: { ...service.auth, ...forwarded } })
  expect(received.headers).toMatchObject({
    'x-forwarded-for': ['192.0.2.7, 127.0.0.1'],
    'x-forwarded-proto': ['https'],
  })
})

test('with UPSTREAM_CREDENTIALS=remove the upstream gets the ID of the caller, not its key', async () => {
  const service = await startInFrontOf(express().use(echo), { UPSTREAM_CREDENTIALS: 'remove' })
  const received = await echoed(service, '/orders', { headers: service.auth })
  expect(JSON.stringify(received)).not.toContain(service.apiKey)
  expect(received.headers['x-caller-id']).toHaveLength(1)
})

test('with tracing, the upstream continues the trace of the client below the span of the service', async () => {
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }
  const service = await startInFrontOf(express().use(echo), environment)
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`
  const received = await echoed(service, '/orders', { headers: { ...service.auth, traceparent } })
  const [sent] = received.headers.traceparent
  expect(sent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`))
  expect(sent).not.toBe(traceparent)
})

test('in production, the service starts if the upstream implements what has no handler', async () => {
  const { origin, auth, logged } = await startInFrontOf(createShop(), { NODE_ENV: 'production' })
  expect((await ask(origin, `${base}/orders`, { headers: auth })).status).toBe(200)
  expect(logged.map(({ msg }) => msg)).toContain(
    'operations without a handler: forwarding to UPSTREAM_URL',
  )
})

test('the path of UPSTREAM_URL is put in front', async () => {
  const upstream = await serve(express().use(echo))
  const service = await startInFrontOf(express(), { UPSTREAM_URL: `${upstream.url}/inner/` })
  const { target } = await echoed(service, '/orders', { headers: service.auth })
  expect(target).toBe(`/inner${base}/orders`)
})

test('credentials and limits are checked before a request is forwarded', async () => {
  let received = 0
  const count: RequestHandler = (_request, response) => {
    received++
    response.set('X-Total', '0').json([])
  }
  const service = await startInFrontOf(express().use(count))
  expect((await ask(service.origin, `${base}/orders`)).status).toBe(401)
  const { key } = await service.issue({ perMinute: 1 })
  const headers = { Authorization: `Bearer ${key}` }
  const statuses = []
  for (let count = 0; count < 2; count++) {
    statuses.push((await ask(service.origin, `${base}/orders`, { headers })).status)
  }
  expect(statuses).toEqual([200, 429])
  expect(received).toBe(1)
})

const size = 50_000_000
const part = Buffer.alloc(100_000, 'a')

/** Writes a body of 50 MB; reports how much of it was written when the other side takes no more. */
async function writeLarge(to: Writable, whenBlocked: (written: number) => void): Promise<void> {
  for (let written = part.length; written <= size; written += part.length) {
    if (!to.write(part)) {
      const timer = setTimeout(() => whenBlocked(written), 500)
      await once(to, 'drain')
      clearTimeout(timer)
    }
  }
  to.end()
}

async function countBytes(from: AsyncIterable<Buffer>): Promise<number> {
  let count = 0
  for await (const chunk of from) {
    count += chunk.length
  }
  return count
}

test('a response of 50 MB is sent as fast as the client reads, and not kept', async () => {
  const { promise: blocked, resolve } = Promise.withResolvers<number>()
  const large: RequestHandler = async (_request, response) => {
    response.set('Content-Type', 'application/json')
    await writeLarge(response, resolve)
  }
  const { origin, auth, metricsUrl } = await startInFrontOf(express().use(large))
  const outgoing = request(`${origin}${base}/reports/large`, { headers: auth, agent: false }).end()
  const [response]: UncheckedJson[] = await once(outgoing, 'response')
  // The rest is in the buffers of two connections.
  expect(await blocked).toBeLessThan(size / 2)
  expect(await countBytes(response)).toBe(size)
  await expectMetric({ metricsUrl }, 'upstream_unchecked_responses_total', 1)
})

test('a body of 50 MB is sent as fast as the upstream reads, and not kept', async () => {
  const { promise: blocked, resolve } = Promise.withResolvers<number>()
  const slow: RequestHandler = async (request, response) => {
    await blocked
    response.json({ received: await countBytes(request) })
  }
  const { origin, auth } = await startInFrontOf(express().use(slow))
  const headers = { ...auth, 'Content-Type': 'application/octet-stream' }
  const outgoing = request(`${origin}${base}/files`, { method: 'PUT', headers, agent: false })
  const responded = once(outgoing, 'response')
  await writeLarge(outgoing, resolve)
  expect(await blocked).toBeLessThan(size / 2)
  const [response]: UncheckedJson[] = await responded
  expect(JSON.parse(String(await buffer(response)))).toEqual({ received: size })
})

test('an upstream that cannot be reached, or sends nothing in time, is 503', async () => {
  const silent: RequestHandler = () => undefined
  const environment = { UPSTREAM_TIMEOUT_SECONDS: '1' }
  const { origin, auth, upstream, logged, metricsUrl } = await startInFrontOf(
    express().use(silent),
    environment,
  )
  const unavailable = { status: 503, headers: { 'retry-after': '1' } }
  expect(await ask(origin, `${base}/orders`, { headers: auth })).toMatchObject(unavailable)
  upstream.close()
  upstream.closeAllConnections()
  const failed = await ask(origin, `${base}/orders`, { headers: auth })
  expect(failed).toMatchObject(unavailable)
  expect(JSON.parse(String(failed.content))).toMatchObject({ code: 'unavailable', status: 503 })

  expect(logged.map(({ msg }) => msg)).toContain('upstream unavailable: timeout')
  const series = await readMetrics({ metricsUrl })
  expect(series.get('api_upstream_failures_total{reason="timeout"}')).toBe(1)
  expect(series.get('api_upstream_failures_total{reason="unavailable"}')).toBe(1)
})

test('a response that the upstream breaks off is broken off for the client, too', async () => {
  const broken: RequestHandler = (_request, response) => {
    response.set('Content-Length', '100').write('{')
    setTimeout(() => response.socket?.destroy(), 50)
  }
  const { origin, auth, metricsUrl } = await startInFrontOf(express().use(broken))
  await expect(ask(origin, `${base}/orders`, { headers: auth })).rejects.toThrow('aborted')
  const name = 'upstream_failures_total{reason="aborted"}'
  await expectMetric({ metricsUrl }, name, 1)
})

test('the request to the upstream ends when the client leaves', async () => {
  const { promise: aborted, resolve } = Promise.withResolvers<void>()
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  const waiting: RequestHandler = (request) => {
    request.socket.once('close', () => resolve())
    arrive()
  }
  const { origin, auth } = await startInFrontOf(express().use(waiting))
  const outgoing = request(`${origin}${base}/orders`, { headers: auth, agent: false })
  outgoing.on('error', () => undefined).end()
  await arrived
  outgoing.destroy()
  await aborted
})

test('connections to the upstream are reused; a safe request is repeated if one was closed', async () => {
  const sockets = new Set<unknown>()
  const server = createServer((request, response) => {
    sockets.add(request.socket)
    // As a server does whose idle timeout ends when the next request arrives.
    if (request.url?.endsWith('limit=7') && sockets.size === 1) {
      request.socket.destroy()
      return
    }
    response.setHeader('X-Total', '0').setHeader('Content-Type', 'application/json').end('[]')
  })
  const { origin, auth } = await startInFrontOf((request, response) => {
    server.emit('request', request, response)
  })
  for (const query of ['', '', '?limit=7']) {
    expect((await ask(origin, `${base}/orders${query}`, { headers: auth })).status).toBe(200)
  }
  expect(sockets.size).toBe(2)
})

test('a request that may change something is sent once, although its connection was closed', async () => {
  let received = 0
  const server = createServer((request, response) => {
    if (request.method === 'POST') {
      received++
      request.socket.destroy()
      return
    }
    response.setHeader('X-Total', '0').setHeader('Content-Type', 'application/json').end('[]')
  })
  const { origin, auth } = await startInFrontOf((request, response) => {
    server.emit('request', request, response)
  })
  expect((await ask(origin, `${base}/orders`, { headers: auth })).status).toBe(200)
  const headers = { ...auth, 'Content-Type': 'application/json' }
  const sent = { method: 'POST', headers, body: '{"item":"saw","count":1}' }
  expect((await ask(origin, `${base}/orders`, sent)).status).toBe(503)
  expect(received).toBe(1)
})

test('a stop waits for the response of the upstream', async () => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  const slow: RequestHandler = (_request, response) => {
    arrive()
    setTimeout(() => response.set('X-Total', '0').json([]), 300)
  }
  const service = await startInFrontOf(express().use(slow))
  const response = ask(service.origin, `${base}/orders`, { headers: service.auth })
  await arrived
  const stopped = service.stop()
  expect(await response).toMatchObject({ status: 200, headers: { connection: 'close' } })
  await stopped
})

test('an operation that the platform does not serve is forwarded as it is', async () => {
  expect(shopApi.operations['uploadForm']?.unserved).toBeDefined()
  const service = await startInFrontOf(express().use(echo))
  const body = '--a\r\nContent-Disposition: form-data; name="file"\r\n\r\n1\r\n--a--\r\n'
  const headers = { ...service.auth, 'Content-Type': 'multipart/form-data; boundary=a' }
  const received = await echoed(service, '/uploads', { method: 'POST', headers, body })
  expect(received).toMatchObject({ method: 'POST', content: body })
  expect(received.headers).toMatchObject({ 'content-type': [headers['Content-Type']] })
})

test('redirects of the upstream are not followed', async () => {
  const redirect: RequestHandler = (_request, response) => response.redirect(302, '/elsewhere')
  const { origin, auth } = await startInFrontOf(express().use(redirect))
  const { status, headers } = await ask(origin, `${base}/orders/1`, { headers: auth })
  expect({ status, location: headers.location }).toEqual({ status: 302, location: '/elsewhere' })
})

test('undeclared paths and methods are 404 and 405, or forwarded with UPSTREAM_UNDECLARED=forward', async () => {
  const rejecting = await startInFrontOf(createShop())
  const get = { headers: rejecting.auth }
  expect((await ask(rejecting.origin, `${base}/health`, get)).status).toBe(404)
  expect((await ask(rejecting.origin, `${base}/orders`, { ...get, method: 'PUT' })).status).toBe(
    405,
  )

  const service = await startInFrontOf(express().use(echo), { UPSTREAM_UNDECLARED: 'forward' })
  const { auth, origin } = service
  const content = { method: 'PATCH', headers: auth, body: 'any' }
  expect(await echoed(service, '/health?a=b&a', { headers: auth })).toMatchObject({
    target: `${base}/health?a=b&a`,
  })
  expect(await echoed(service, '/orders', content)).toMatchObject({ content: 'any' })
  expect((await ask(origin, '/other', { headers: auth })).status).toBe(200)
  expect((await ask(origin, '/other')).status).toBe(401)
  expect((await ask(origin, '/livez')).status).toBe(200)
  await expectMetric(service, 'upstream_undeclared_requests_total', 3)
})

test.for(['forward', 'remove'])(
  'with UPSTREAM_CREDENTIALS=%s a path that cannot be decoded is forwarded as it was sent',
  async (credentials) => {
    const service = await startInFrontOf(express().use(echo), {
      UPSTREAM_UNDECLARED: 'forward',
      UPSTREAM_CREDENTIALS: credentials,
    })
    for (const path of ['/health%ff/%25?a=%35&b=%2525', '/health%f']) {
      const { target } = await echoed(service, path, { headers: service.auth })
      expect(target).toBe(base + path)
    }
  },
)

test('the served description allows any Cache-Control, which the upstream decides on', async () => {
  const { origin } = await startInFrontOf(createShop())
  const served: UncheckedJson = JSON.parse(String((await ask(origin, '/openapi.json')).content))
  const { schema, required } = served.components.headers['Cache-Control']
  expect({ schema, required }).toEqual({ schema: { type: 'string' } })
})
