import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { answersIn, statusesIn } from '../../helpers/answers.ts'
import { startFixtureService } from '../../helpers/fixture-service.ts'
import { exchangeBytes } from '../../helpers/raw.ts'
import { countTools, createRequests, length, type Requests, tools } from './support/requests.ts'

/** Opens a connection that is closed when the test ends. */
function open(origin: string, localAddress = '127.0.0.1'): Socket {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port), localAddress })
  onTestFinished(() => void socket.destroy())
  return socket.on('error', () => undefined)
}

/** Opens a connection from an address of this machine; tells whether it gets a response. */
async function isAccepted(origin: string, localAddress?: string): Promise<boolean> {
  const socket = open(origin, localAddress)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  socket.once('data', () => resolve(true)).once('close', () => resolve(false))
  socket.write('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n')
  return promise
}

test('MAX_CONNECTIONS_PER_ADDRESS limits the connections of each address on its own', async () => {
  const { origin } = await startFixtureService({ MAX_CONNECTIONS_PER_ADDRESS: '3' })
  const first = open(origin)
  const accepted = [await isAccepted(origin), await isAccepted(origin), await isAccepted(origin)]
  expect(accepted).toEqual([true, true, false])
  expect(await isAccepted(origin, '127.0.0.2')).toBe(true)
  first.destroy()
  await expect.poll(() => isAccepted(origin), { timeout: 30_000 }).toBe(true)
  expect(await isAccepted(origin)).toBe(false)
})

test('behind a proxy, MAX_CONNECTIONS_PER_ADDRESS does not apply', async () => {
  const limits = { MAX_CONNECTIONS_PER_ADDRESS: '1', TRUST_PROXY: '1' }
  const { origin } = await startFixtureService(limits)
  expect([await isAccepted(origin), await isAccepted(origin)]).toEqual([true, true])
})

test('a connection beyond MAX_CONNECTIONS is closed at once', async () => {
  const { origin } = await startFixtureService({ MAX_CONNECTIONS: '2' })
  expect(await isAccepted(origin, '127.0.0.2')).toBe(true)
  expect(await isAccepted(origin, '127.0.0.3')).toBe(true)
  expect(await isAccepted(origin, '127.0.0.4')).toBe(false)
})

test.for(['MAX_CONNECTIONS_PER_ADDRESS', 'MAX_CONNECTIONS'])(
  'rejected connections are logged once, with %s',
  async (variable) => {
    const { origin, logged } = await startFixtureService({ [variable]: '1' })
    for (const isOne of [true, false, false, false]) expect(await isAccepted(origin)).toBe(isOne)
    expect(logged.filter(({ msg }) => String(msg).includes(`(${variable})`))).toEqual([
      expect.objectContaining({ level: 'warn' }),
    ])
  },
)

test('a hundred pipelined requests get their responses in order', async () => {
  const service = await startFixtureService()
  const { get, last } = createRequests(service)
  const ids = Array.from({ length: 99 }, (_, at) => at + 1)
  const sent = ids.map((id) => get(`${tools}/${id}`)).join('') + last
  const responses = answersIn((await exchangeBytes(service.origin, sent)).text)
  expect(responses.slice(0, 99).map(({ body }) => JSON.parse(body).message)).toEqual(
    ids.map((id) => `There is no tool ${id}.`),
  )
  expect(responses).toHaveLength(100)
})

test('a connection with thousands of pipelined requests is closed before most of them run', async () => {
  const service = await startFixtureService()
  const socket = open(service.origin).resume()
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(createRequests(service).get().repeat(2_000))
  await closed
  const next = await service.send(tools)
  expect(Number(next.headers.get('x-ratelimit-remaining'))).toBeGreaterThanOrEqual(1e6 - 101)
})

test('a client that reads no responses is disconnected before all its requests run', async () => {
  const limits = { EXCHANGE_SECONDS: '1', MAX_CONNECTIONS_PER_ADDRESS: '1' }
  const service = await startFixtureService(limits)
  const [name, note] = ['\u0001'.repeat(100), '\u0001'.repeat(500)]
  const content = JSON.stringify({ kind: 'saw', name, note })
  const { get, post, last } = createRequests(service)
  const create = post(`Content-Length: ${content.length}\r\n`, content)
  await exchangeBytes(service.origin, create.repeat(50) + last)
  const address = '127.0.0.2'
  // 18 MB of responses: more than the system takes for a connection.
  open(service.origin, address)
    .pause()
    .write(get(`${tools}?limit=50`).repeat(99))
  await expect.poll(() => isAccepted(service.origin, address), { timeout: 30_000 }).toBe(false)
  const isAcceptedAgain = () => isAccepted(service.origin, address)
  await expect.poll(isAcceptedAgain, { timeout: 60_000 }).toBe(true)
  const next = await service.send(tools)
  const served = 1e6 - 51 - Number(next.headers.get('x-ratelimit-remaining'))
  expect(served).toBeGreaterThan(0)
  expect(served).toBeLessThan(99)
})

/** Sends a beginning and then a drop again and again, until the service closes the connection. */
async function trickle(origin: string, beginning: string, drop: string): Promise<number[]> {
  const socket = open(origin).setEncoding('latin1')
  let text = ''
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.write(beginning)
  const timer = setInterval(() => socket.writable && socket.write(drop, 'latin1'), 100)
  await closed
  clearInterval(timer)
  return statusesIn(text)
}

type Row = readonly [
  what: string,
  statuses: readonly number[],
  beginning: (requests: Requests) => string,
  drop: string,
]

const large = 'Content-Length: 9000\r\n'
const slowClients: readonly Row[] = [
  ['sends nothing', [408], () => '', ''],
  ['sends empty lines', [408], () => '', '\r\n'],
  ['sends a method', [408], () => 'GE', ''],
  ['trickles a target', [408], () => 'GET /', 'a'],
  ['trickles fields', [408], ({ get }) => get().slice(0, -2), 'X: a\r\n'],
  ['trickles a second request', [200, 408], ({ get }) => `${get('/livez')}GET /`, 'a'],
  ['trickles a body', [408], ({ post }) => post(large, '{'), ' '],
  ['trickles chunks', [408], ({ chunked }) => chunked(''), '1\r\n \r\n'],
  ['trickles an extension', [408], ({ chunked }) => chunked('1;'), 'a'],
  ['trickles a trailer', [408], ({ chunked }) => chunked('0\r\n'), 'X: a\r\n'],
  ['sends no body', [100, 408], ({ post }) => post(`${large}Expect: 100-continue\r\n`, ''), ''],
  [
    'goes on with a rejected body',
    [415],
    ({ post }) => post(`${large}Content-Encoding: zip\r\n`, '{'),
    ' ',
  ],
  ['is idle after a response', [200], ({ get }) => get('/livez'), ''],
]

test('a client that is slower than the timeouts gets 408 once, and the connection ends', async () => {
  const limits = { HEADERS_SECONDS: '2', REQUEST_SECONDS: '2', IDLE_SECONDS: '1' }
  const service = await startFixtureService(limits)
  // What the first request loads is there when the timeouts begin.
  await service.send(`${tools}/1`, { method: 'PATCH' })
  const requests = createRequests(service)
  const got = await Promise.all(
    slowClients.map(async ([what, , beginning, drop]) => [
      what,
      await trickle(service.origin, beginning(requests), drop),
    ]),
  )
  expect(got).toEqual(slowClients.map(([what, statuses]) => [what, statuses]))
  expect(await countTools(service)).toBe(0)
  expect(service.logged).toEqual([])
})

test('empty lines keep no connection open', async () => {
  const service = await startFixtureService({ EXCHANGE_SECONDS: '1', IDLE_SECONDS: '1' })
  const { get } = createRequests(service)
  expect(await trickle(service.origin, get('/livez'), '\r\n')).toEqual([200])
})

test('slow clients do not block others', async () => {
  const service = await startFixtureService()
  const { get, post } = createRequests(service)
  for (let client = 0; client < 50; client++) {
    open(service.origin).write(post('Content-Length: 9000\r\n', '{'))
  }
  const sent = post() + get(tools, 'Connection: close\r\n')
  expect(statusesIn((await exchangeBytes(service.origin, sent)).text)).toEqual([201, 200])
})

test.for([
  ['in the middle of a body', ({ post }: Requests) => post(length, '{"name"')],
  ['after CONNECT', () => 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n'],
] as const)('a client that disconnects %s leaves no error behind', async ([, write]) => {
  const service = await startFixtureService()
  const socket = open(service.origin)
  await new Promise<void>((sent) => {
    socket.write(write(createRequests(service)), () => sent())
  })
  await wait(50)
  socket.resetAndDestroy()
  await wait(50)
  expect((await service.send(tools)).status).toBe(200)
  expect(service.logged).toEqual([])
})
