import { connect } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startFixtureService } from '../../helpers/fixture-service.ts'
import { exchangeBytes } from '../../helpers/raw.ts'
import type { TestService } from '../../helpers/service.ts'
import { readMetrics } from './support/metrics.ts'
import { startWithHandlers } from './support/own-handlers.ts'

const base = '/lending/v2'
const patient = { timeout: 60_000, interval: 100 }

/** What metrics show of the load. */
async function loadOf(service: TestService) {
  const series = await readMetrics(service)
  const of = (name: string) => series.get(`animal_store_${name}`) ?? Number.NaN
  return {
    overloaded: of('overloaded'),
    waiting: of('requests_waiting'),
    shed: of('requests_shed_total'),
  }
}

/** A service that works on one request of a kind at a time, and whose handlers wait to be released. */
async function startHeld(environment: Readonly<Record<string, string>> = {}) {
  const released = Promise.withResolvers<void>()
  let lastId = 0
  const service = await startWithHandlers(
    {
      async listTools() {
        await released.promise
        return { status: 200, body: [], headers: { 'X-Total': 0 } }
      },
      async createTool() {
        await released.promise
        return { status: 201, body: { id: ++lastId, kind: 'drill', name: 'Bit', power: 500 } }
      },
    },
    { REQUESTS_AT_ONCE: '1', OPS_PORT: '0', ...environment },
  )
  const waitFor = (count: number) =>
    vi.waitUntil(async () => (await loadOf(service)).waiting === count, patient)
  /** Sends a create and waits until the service works on it. */
  async function startCreate() {
    const created = service.send(`${base}/tools`, post(service))
    const name = 'animal_store_requests_in_flight'
    await vi.waitUntil(async () => (await readMetrics(service)).get(name) === 1, patient)
    return { created }
  }
  return { service, waitFor, startCreate, release: released.resolve, created: () => lastId }
}

const post = ({ apiKey }: TestService) => ({
  method: 'POST',
  headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
  body: JSON.stringify({ kind: 'drill', name: 'Bit', power: 500 }),
})

/** Sends requests to a service that finishes none, until it is overloaded. */
async function startOverloaded(environment: Readonly<Record<string, string>> = {}) {
  const held = await startHeld(environment)
  const { service } = held
  const sent: Promise<Response>[] = []
  const list = () => service.send(`${base}/tools`)
  await vi.waitUntil(async () => {
    sent.push(list())
    return (await loadOf(service)).overloaded === 1
  }, patient)
  return {
    service,
    /** Lets the handlers go on and waits for the end of the overload; returns every status so far. */
    async end() {
      held.release()
      const statuses = await Promise.all(sent.map(async (response) => (await response).status))
      await vi.waitUntil(async () => (await loadOf(service)).overloaded === 0, patient)
      return statuses
    },
  }
}

test('an overloaded service rejects with 503 and Retry-After, responds to health checks, and recovers', async () => {
  const { service, end } = await startOverloaded()
  const rejected = await service.send(`${base}/tools`)
  expect(rejected.status).toBe(503)
  const seconds = rejected.headers.get('retry-after')
  expect(seconds).toMatch(/^[1-4]$/)
  expect(await rejected.json()).toEqual({
    code: 'unavailable',
    message: `The service is overloaded. Retry in ${seconds} second${seconds === '1' ? '' : 's'}.`,
    status: 503,
  })
  for (const path of ['/livez', '/readyz']) expect((await service.send(path)).status).toBe(200)
  expect(await loadOf(service)).toMatchObject({ overloaded: 1 })

  const statuses = await end()
  // The one that was worked on, those that waited for too long, and what came after.
  expect(statuses[0]).toBe(200)
  expect(new Set(statuses)).toEqual(new Set([200, 503]))
  const shed = 1 + statuses.filter((status) => status === 503).length
  expect(await loadOf(service)).toEqual({ overloaded: 0, waiting: 0, shed })
  expect((await service.send(`${base}/tools`)).status).toBe(200)

  await service.stop()
  expect(service.logged.filter(({ msg }) => /is overloaded|is over$/.test(String(msg)))).toEqual([
    expect.objectContaining({ level: 'warn', msg: expect.stringContaining('OVERLOAD_WAIT_MS') }),
    expect.objectContaining({ level: 'info', refused: shed }),
  ])
})

test('connections whose requests were rejected are served when the overload is over', async () => {
  const { service, end } = await startOverloaded()
  const sendMany = async (count: number) => {
    const sent = Array.from({ length: count }, () => service.send(`${base}/tools`))
    return [...new Set((await Promise.all(sent)).map(({ status }) => status))]
  }
  expect(await sendMany(300)).toEqual([503])
  await end()
  await vi.waitUntil(async () => `${await sendMany(30)}` === '200', patient)
})

test('a 503 of load shedding has the headers of the contract, of CORS and of the rate limit', async () => {
  const origin = 'https://app.example'
  const { service, end } = await startOverloaded({ CORS_ORIGINS: origin, TRUST_PROXY: '1' })
  const proxied = { 'X-Forwarded-For': '203.0.113.7, 192.0.2.1' }
  const headers = { ...proxied, Origin: origin, 'X-Request-Id': 'my-own-request' }
  // One request of this address is not a read, so it is served, and counted.
  const create = { method: 'POST', headers: proxied }
  expect((await service.send(`${base}/tools`, create)).status).toBe(401)
  const manual = await service.send(`${base}/tools/1/manual`, { headers })
  const head = await service.send(`${base}/tools`, { method: 'HEAD', headers })
  const page = await service.send('/docs', { headers })
  await end()
  expect([manual.status, head.status, page.status]).toEqual([503, 503, 503])
  expect(Object.fromEntries(manual.headers)).toMatchObject({
    'access-control-allow-origin': origin,
    'cache-control': 'no-store',
    deprecation: expect.stringMatching(/^@\d+$/),
    vary: 'Origin',
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': '59',
    'x-request-id': 'my-own-request',
  })
  expect(head.headers.get('content-length')).not.toBeNull()
  expect(page.headers.has('x-ratelimit-limit')).toBe(false)
  const always = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
  expect(Object.fromEntries(page.headers)).toMatchObject(always)
})

test('health checks are known by their whole path, and malformed requests stay 400 under overload', async () => {
  const { service, end } = await startOverloaded()
  const statusOf = async (target: string, more = '') => {
    const bytes = `GET ${target} HTTP/1.1\r\nHost: a\r\n${more}Connection: close\r\n\r\n`
    const { status, headers } = await exchangeBytes(service.origin, bytes)
    expect(headers['connection']).toBe('close')
    return status
  }
  const probes = await Promise.all(
    ['/readyz?a=b', '/livez?', 'http://a/readyz'].map((t) => statusOf(t)),
  )
  const others = await Promise.all(
    ['/readyzz', '/livez/x', `${base}/livez`].map((t) => statusOf(t)),
  )
  const malformed = await statusOf(`${base}/tools`, 'Host: b\r\n')
  await end()
  expect({ probes, others, malformed }).toEqual({
    probes: [200, 200, 200],
    others: [503, 503, 503],
    malformed: 400,
  })
})

test('while writes are stuck they wait, and reads and health checks are served', async () => {
  // None of them waits for too long.
  const held = await startHeld({ REQUESTS_AT_ONCE: '2', OVERLOAD_WAIT_MS: '60000' })
  const { service, waitFor, release, created } = held
  const writes = Array.from({ length: 10 }, () => service.send(`${base}/tools`, post(service)))
  await waitFor(8)
  expect((await fetch(`${service.origin}/readyz`)).status).toBe(200)
  for (let count = 0; count < 5; count++) {
    expect((await service.send(`${base}/opening-hours`)).status).toBe(200)
  }
  expect(created()).toBe(0)
  release()
  for (const { status } of await Promise.all(writes)) expect(status).toBe(201)
})

test('a request that has waited too long is 503, and nothing of it is done', async () => {
  const { service, startCreate, release, created } = await startHeld()
  const first = await startCreate()
  const others = Array.from({ length: 4 }, () => service.send(`${base}/tools`, post(service)))
  for (const response of await Promise.all(others)) {
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toMatch(/^[1-4]$/)
  }
  release()
  expect((await first.created).status).toBe(201)
  expect(created()).toBe(1)
})

/** Opens a connection and sends bytes. */
function sendBytes({ origin }: TestService, bytes: string) {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  socket.write(bytes)
  return socket
}

/** A create as bytes, with so much of its body. */
function createBytes({ apiKey }: TestService, body: string, ...more: string[]): string {
  const fields = ['Host: a', `Authorization: Bearer ${apiKey}`, 'Content-Type: application/json']
  return `POST ${base}/tools HTTP/1.1\r\n${[...fields, ...more].join('\r\n')}\r\n\r\n${body}`
}

test('a request whose client leaves while it waits is never worked on', async () => {
  const held = await startHeld({ OVERLOAD_WAIT_MS: '60000' })
  const { service, waitFor, startCreate, release, created } = held
  const running = await startCreate()
  const { body } = post(service)
  const bytes = createBytes(service, body, `Content-Length: ${body.length}`)
  const leaving = [1, 2, 3].map(() => sendBytes(service, bytes))
  await waitFor(3)
  for (const socket of leaving) socket.destroy()
  await waitFor(0)
  release()
  expect((await running.created).status).toBe(201)
  expect((await service.send(`${base}/tools`, post(service))).status).toBe(201)
  expect(created()).toBe(2)
})

const one = { REQUESTS_AT_ONCE: '1', OVERLOAD_WAIT_MS: '60000' }

test('clients that do not read their responses keep no other client waiting', async () => {
  const service = await startFixtureService(one)
  for (let count = 0; count < 5; count++) {
    sendBytes(service, 'GET /docs HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(99)).pause()
  }
  for (let count = 0; count < 5; count++) {
    expect((await service.send(`${base}/tools`)).status).toBe(200)
  }
})

test('a client that is slow to send its body keeps no other client waiting', async () => {
  const service = await startFixtureService(one)
  const fields = ['Content-Length: 50', 'Expect: 100-continue']
  const slow = sendBytes(service, createBytes(service, '', ...fields))
  // With 100 Continue the service has begun to read the body.
  await new Promise((received) => slow.once('data', received))
  slow.write('{')
  expect((await service.send(`${base}/tools`)).status).toBe(200)
})

test('a client that sends many requests on one connection delays no other client', async () => {
  const clock = { time: 0, step: 0 }
  const now = () => (clock.time += clock.step)
  const service = await startFixtureService(one, undefined, now)
  await service.send(`${base}/tools`)
  clock.step = 10
  const head = `GET ${base}/tools HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.apiKey}\r\n`
  const last = `${head}Connection: close\r\n\r\n`
  let isOver = false
  const many = exchangeBytes(service.origin, `${head}\r\n`.repeat(99) + last).then((response) => {
    isOver = true
    return response
  })
  await service.send(`${base}/tools`)
  expect(isOver).toBe(false)
  expect([...(await many).text.matchAll(/HTTP\/1\.1 200/g)]).toHaveLength(100)
})

test('a burst is served, and so is what came before a pause of the process', async () => {
  const clock = { time: 0 }
  const service = await startFixtureService({ REQUESTS_AT_ONCE: '1' }, undefined, () => clock.time)
  const send = (count: number) => Array.from({ length: count }, () => service.send(`${base}/tools`))
  for (const { status } of await Promise.all(send(100))) expect(status).toBe(200)
  const before = send(10)
  await fetch(`${service.origin}/livez`)
  clock.time += 60_000
  for (const { status } of await Promise.all([...before, ...send(10)])) expect(status).toBe(200)
})
