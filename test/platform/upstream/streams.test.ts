import { once } from 'node:events'
import type { RequestListener, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { expectMetric, readMetrics } from '../../helpers/metrics.ts'
import { openSocket, receive } from '../../helpers/raw.ts'
import { startServiceOf } from '../../helpers/service.ts'
import { createSmallApi } from '../validation/support/small-api.ts'
import { serve } from './support/shop.ts'

const price = { type: 'object', required: ['cents'], properties: { cents: { type: 'integer' } } }

/** Starts a service in front of an upstream that sends prices as events at `/v1/events`, and as lines at `/v1/lines`. */
async function start(
  upstream: RequestListener,
  environment: Readonly<Record<string, string>> = {},
) {
  const operation = (path: string, mediaType: string) => {
    const response = { content: { [mediaType]: { itemSchema: price } } }
    return { method: 'get', path, response, handler: 'sampled' } as const
  }
  const api = createSmallApi(
    [operation('/events', 'text/event-stream'), operation('/lines', 'application/jsonl')],
    {},
    '/v1',
    '3.2.0',
  )
  const { url } = await serve(upstream)
  const service = await startServiceOf(api, {
    UPSTREAM_URL: url,
    OPS_PORT: '0',
    REQUESTS_AT_ONCE: '1',
    OVERLOAD_WAIT_MS: '60000',
    ...environment,
  })
  const headers = { Authorization: `Bearer ${service.apiKey}` }
  const read = async (path: string) => (await fetch(service.origin + path, { headers })).text()
  return { ...service, read }
}

const driftsOf = ({ logged }: Awaited<ReturnType<typeof start>>) =>
  logged
    .filter(({ msg }) => msg === 'response drift')
    .map(({ pointer, rule }) => `${pointer} ${rule}`)

test('streams of items are forwarded unchanged, and each item is validated', async () => {
  const contents: Readonly<Record<string, readonly [string, readonly string[]]>> = {
    // In parts that split lines, characters and events.
    '/v1/events': [
      'text/event-stream',
      [
        ': a comment\r\n\r\ndata: {"cents":1}\n\nid: 7\ndata: {"ce',
        'nts":"é',
        '"}\r\n\r\ndata: no\n\n',
      ],
    ],
    '/v1/lines': ['application/jsonl', ['{"cents":1}\n{', '"cents":2.5}\n\n{"cents":3}\n', '{}']],
  }
  const service = await start(async ({ url = '' }, response) => {
    const [mediaType = '', parts = []] = contents[url] ?? []
    response.writeHead(200, { 'Content-Type': mediaType })
    for (const part of parts) {
      response.write(part)
      await wait(20)
    }
    response.end()
  })
  for (const [path, [, parts]] of Object.entries(contents)) {
    expect.soft(await service.read(path)).toBe(parts.join(''))
  }
  await expect
    .poll(() => driftsOf(service))
    .toEqual(['/item/cents type', '/item json', '/item/cents type', '/item/cents required'])
})

test('a stream that is forwarded takes no slot, and ends when its client leaves or the service stops', async () => {
  const opened: ServerResponse[] = []
  const service = await start((_request, response) => {
    opened.push(response)
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.flushHeaders()
  })
  const request = `GET /v1/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.apiKey}\r\n\r\n`
  const sockets = [1, 2, 3].map(() => {
    const socket = openSocket(service.origin)
    socket.write(request)
    return socket
  })
  // Its headers are sent before its first event.
  await Promise.all(sockets.map((socket) => once(socket, 'data')))
  await expectMetric(service, 'streams_open', 3)
  expect((await readMetrics(service)).get('api_requests_in_flight')).toBe(0)
  sockets[0]?.destroy()
  await expectMetric(service, 'streams_open', 2)
  await expect.poll(() => opened.filter(({ destroyed }) => destroyed)).toHaveLength(1)
  const closed = sockets.slice(1).map((socket) => receive(socket))
  await service.stop()
  await Promise.all(closed)
  await expect.poll(() => opened.filter(({ destroyed }) => destroyed)).toHaveLength(3)
  expect(service.logged.filter(({ level }) => level !== 'info')).toEqual([])
})

test('a stream beyond STREAMS_AT_ONCE is 503, and ends at the upstream', async () => {
  const opened: ServerResponse[] = []
  const limit = { STREAMS_AT_ONCE: '1' }
  const service = await start((_request, response) => {
    opened.push(response)
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.flushHeaders()
  }, limit)
  const socket = openSocket(service.origin)
  socket.write(
    `GET /v1/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.apiKey}\r\n\r\n`,
  )
  await once(socket, 'data')
  expect((await service.ask('/v1/events')).status).toBe(503)
  await expect.poll(() => opened.map(({ destroyed }) => destroyed)).toEqual([false, true])
  socket.destroy()
})
