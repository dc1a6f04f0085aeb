import { once } from 'node:events'
import { expect, test, vi } from 'vitest'
import {
  countTools,
  createRequests,
  length,
  type Requests,
  startFixtureService,
  startFixtureWith,
  tools,
} from '../../helpers/fixture-service.ts'
import { expectMetric, readMetrics, requestsOf } from '../../helpers/metrics.ts'
import { openSocket, receive, statusesIn } from '../../helpers/raw.ts'

/** Opens a connection from an address of this machine; returns whether it gets a response. */
async function isAccepted(origin: string, localAddress?: string): Promise<boolean> {
  const socket = openSocket(origin, localAddress)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  socket.once('data', () => resolve(true)).once('close', () => resolve(false))
  socket.write('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n')
  return promise
}

test('MAX_CONNECTIONS_PER_ADDRESS limits the connections of each address on its own, and is logged once', async () => {
  const service = await startFixtureService({ MAX_CONNECTIONS_PER_ADDRESS: '3' })
  const { origin } = service
  const first = openSocket(origin)
  for (const isFree of [true, true, false]) {
    expect(await isAccepted(origin)).toBe(isFree)
  }
  expect(await isAccepted(origin, '127.0.0.2')).toBe(true)
  first.destroy()
  await expect.poll(() => isAccepted(origin)).toBe(true)
  expect(await isAccepted(origin)).toBe(false)
  const message = 'connections: rejecting beyond MAX_CONNECTIONS_PER_ADDRESS'
  expect(service.logged).toMatchObject([{ level: 'warn', msg: message }])
})

test('behind a proxy, MAX_CONNECTIONS_PER_ADDRESS does not apply', async () => {
  const limits = { MAX_CONNECTIONS_PER_ADDRESS: '1', TRUST_PROXY: '1' }
  const { origin } = await startFixtureService(limits)
  expect([await isAccepted(origin), await isAccepted(origin)]).toEqual([true, true])
})

test('a connection with thousands of pipelined requests is closed before most of them run', async () => {
  const service = await startFixtureService()
  const socket = openSocket(service.origin)
  socket.write(createRequests(service).get().repeat(2_000))
  await receive(socket)
  const next = await service.send(tools)
  expect(Number(next.headers.get('x-ratelimit-remaining'))).toBeGreaterThanOrEqual(1e6 - 101)
})

test('a client that reads no responses is disconnected before all its requests run', async () => {
  const getManual = vi.fn(() => ({ status: 200, body: { text: 'a'.repeat(1e6) } }))
  const limits = { SOCKET_TIMEOUT_SECONDS: '1', OPS_PORT: '0' }
  const service = await startFixtureWith({ handlers: { getManual } }, limits)
  // More than the system takes for a connection.
  const requests = createRequests(service).get(`${tools}/1/manual`).repeat(50)
  openSocket(service.origin).pause().write(requests)
  await expect.poll(() => getManual.mock.calls.length).toBeGreaterThan(0)
  await expectMetric(service, 'connections', 0)
  expect(getManual.mock.calls.length).toBeLessThan(50)
})

/** Sends a beginning and then a drop again and again, until the service closes the connection. */
async function trickle(origin: string, beginning: string, drop: string): Promise<number[]> {
  const socket = openSocket(origin)
  const received = receive(socket)
  socket.write(beginning)
  const timer = setInterval(() => socket.writable && socket.write(drop, 'latin1'), 100)
  const text = await received
  clearInterval(timer)
  return statusesIn(text)
}

type Row = readonly [what: string, statuses: readonly number[], beginning: string, drop: string]

const large = 'Content-Length: 9000\r\n'
const slowClients = ({ get, post }: Requests): readonly Row[] => [
  ['sends nothing', [408], '', ''],
  ['trickles fields', [408], get().slice(0, -2), 'X: a\r\n'],
  ['trickles a second request', [200, 408], `${get('/livez')}GET /`, 'a'],
  ['trickles a body', [408], post(large, '{'), ' '],
  ['sends no body', [100, 408], post(`${large}Expect: 100-continue\r\n`, ''), ''],
  ['continues with a rejected body', [415], post(`${large}Content-Encoding: zip\r\n`, '{'), ' '],
  ['is idle after a response', [200], get('/livez'), ''],
]

test('a client that is slower than the timeouts gets 408 once, and the connection ends', async () => {
  const limits = { HEADERS_SECONDS: '4', REQUEST_SECONDS: '4', IDLE_SECONDS: '2' }
  const service = await startFixtureService(limits)
  // What the first request loads is there when the timeouts begin.
  await service.send(`${tools}/1`, { method: 'PATCH' })
  const clients = slowClients(createRequests(service))
  const got = await Promise.all(
    clients.map(([, , beginning, drop]) => trickle(service.origin, beginning, drop)),
  )
  expect(clients.map(([what], at) => [what, got[at]])).toEqual(
    clients.map(([what, statuses]) => [what, statuses]),
  )
  const creates = () =>
    service.requestLines.filter(({ operationId }) => operationId === 'createTool')
  const ends = [415, 408, 408].map((status) => ({ status }))
  await expect.poll(creates).toMatchObject(ends)
  expect(await countTools(service)).toBe(0)
  expect(service.logged).toEqual([])
})

test('clients that disconnect before a request, in the middle of a body, or after CONNECT, leave no error behind, and are counted as gone', async () => {
  // HEADERS_SECONDS may be longer than REQUEST_SECONDS.
  const limits = { HEADERS_SECONDS: '20', REQUEST_SECONDS: '10' }
  const service = await startFixtureService({ ...limits, OPS_PORT: '0' })
  const open = (bytes: string) => {
    const socket = openSocket(service.origin)
    socket.write(bytes)
    return socket
  }
  const silent = open('')
  await once(silent, 'connect')
  const sendPart = () => open(createRequests(service).post(length, '{"name"'))
  const [leaving, sending] = [sendPart(), sendPart()]
  await expectMetric(service, 'requests_in_flight', 2)
  // It closes its side, where the other ones reset the connection.
  leaving.destroy()
  await expectMetric(service, 'requests_in_flight', 1)
  const connecting = open('CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n')
  await once(connecting, 'data')
  for (const socket of [silent, sending, connecting]) {
    socket.resetAndDestroy()
  }
  await expectMetric(service, 'connections', 0)
  await expectMetric(service, 'requests_in_flight', 0)
  expect(requestsOf(await readMetrics(service), 'createTool', 'gone')).toBe(2)
  expect((await service.send(tools)).status).toBe(200)
  expect(service.logged).toEqual([])
  const aborted = { msg: 'request aborted', operationId: 'createTool', method: 'POST' }
  const lines = service.requestLines
  expect(lines).toMatchObject([aborted, { msg: 'malformed request' }, aborted, { status: 200 }])
  for (const line of [lines[0], lines[2]]) {
    expect(line).not.toHaveProperty('status')
  }
})

test('clients that disconnect while their requests without content are processed are counted as gone', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const service = await startFixtureWith(
    {
      handlers: {
        async getOpeningHours() {
          await promise
          return { status: 200, body: { mon: '9-17' } }
        },
      },
    },
    { OPS_PORT: '0' },
  )
  const path = '/lending/v2/opening-hours'
  const { get } = createRequests(service)
  const sockets = [
    get(path),
    get(path).replace('GET', 'HEAD'),
    get(path, 'Expect: 100-continue\r\n'),
  ].map((bytes) => {
    const socket = openSocket(service.origin)
    socket.write(bytes)
    return socket
  })
  await expectMetric(service, 'requests_in_flight', sockets.length)
  const [first, ...others] = sockets
  // It closes its side, where the other ones reset the connection.
  first?.destroy()
  for (const socket of others) {
    socket.resetAndDestroy()
  }
  await expectMetric(service, 'requests_in_flight', 0)
  resolve()
  expect((await service.send(path)).status).toBe(200)
  expect(requestsOf(await readMetrics(service), 'getOpeningHours', 'gone')).toBe(sockets.length)
  expect(service.logged).toEqual([])
})
