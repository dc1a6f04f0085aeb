import { expect, test } from 'vitest'
import {
  createRequests,
  length,
  startFixtureService,
  startFixtureWith,
  tool,
  tools,
} from '../../helpers/fixture-service.ts'
import { openSocket, sendBytes } from '../../helpers/raw.ts'
import type { TestService } from '../../helpers/service.ts'
import { expectInFlight, readMetrics } from './support/metrics.ts'

const saw = { json: JSON.parse(tool) }

/** Reads the metrics of the load. */
async function loadOf(service: TestService) {
  const series = await readMetrics(service)
  const of = (name: string) => series.get(`animal_store_${name}`) ?? Number.NaN
  return {
    overloaded: of('overloaded'),
    waiting: of('requests_waiting'),
    shed: of('requests_shed_total'),
  }
}

/** Starts a service that processes one request of a kind at a time; its handlers wait for `release`. */
async function startHeld(environment: Readonly<Record<string, string>> = {}) {
  const released = Promise.withResolvers<void>()
  let lastId = 0
  const handlers = {
    async listTools() {
      await released.promise
      return { status: 200, body: [], headers: { 'X-Total': 0 } }
    },
    async createTool() {
      await released.promise
      return { status: 201, body: { id: ++lastId, ...saw.json } }
    },
  }
  const variables = { REQUESTS_AT_ONCE: '1', OPS_PORT: '0', ...environment }
  const service = await startFixtureWith({ handlers }, variables)
  const waitFor = (count: number) =>
    expect.poll(async () => (await loadOf(service)).waiting).toBe(count)
  /** Sends a create and waits until the service works on it. */
  async function startCreate() {
    const created = service.send(tools, saw)
    await expectInFlight(service, 1)
    return { created }
  }
  return { service, waitFor, startCreate, release: released.resolve, created: () => lastId }
}

/** Sends reads, or creates, to a service that finishes none, until it rejects some. */
async function startOverloaded(
  request: Partial<typeof saw>,
  environment: Readonly<Record<string, string>> = {},
) {
  const variables = { OVERLOAD_WAIT_MS: '100', ...environment }
  const { service, release, created } = await startHeld(variables)
  const sent: Promise<Response>[] = []
  const isOverloaded = async () => (await loadOf(service)).overloaded
  await expect
    .poll(() => {
      sent.push(service.send(tools, request))
      return isOverloaded()
    })
    .toBe(1)
  return {
    service,
    created,
    /** Releases the handlers and waits for the end of the overload; returns all statuses. */
    async end() {
      release()
      const statuses = await Promise.all(sent.map(async (response) => (await response).status))
      await expect.poll(isOverloaded).toBe(0)
      return statuses
    },
  }
}

test('an overloaded service rejects with 503 and Retry-After, does nothing of what it rejects, responds to health checks, and recovers', async () => {
  const { service, created, end } = await startOverloaded(saw)
  const rejected = await service.send(tools, saw)
  expect(rejected.status).toBe(503)
  const seconds = rejected.headers.get('retry-after')
  expect(seconds).toMatch(/^[1-4]$/)
  expect(await rejected.json()).toEqual({
    code: 'unavailable',
    message: `The service is overloaded. Retry in ${seconds} second${seconds === '1' ? '' : 's'}.`,
    status: 503,
  })
  const statusOf = async (target: string, more = '') => {
    const bytes = `GET ${target} HTTP/1.1\r\nHost: a\r\n${more}Connection: close\r\n\r\n`
    return (await sendBytes(service.origin, bytes)).status
  }
  for (const path of ['/livez', '/readyz', '/docs/try'])
    expect(await statusOf(path), path).toBe(200)
  // What is rejected for another reason does not wait.
  expect(await statusOf(tools)).toBe(401)
  expect(await statusOf('/readyzz')).toBe(404)
  expect(await statusOf(tools, 'Host: b\r\n')).toBe(400)

  const statuses = await end()
  // The one that was worked on, those that waited for too long, and what came after.
  expect(statuses[0]).toBe(201)
  expect(new Set(statuses)).toEqual(new Set([201, 503]))
  expect(created()).toBe(statuses.filter((status) => status === 201).length)
  const shed = 1 + statuses.filter((status) => status === 503).length
  expect(await loadOf(service)).toEqual({ overloaded: 0, waiting: 0, shed })
  await service.stop()
  expect(service.logged.filter(({ msg }) => String(msg).startsWith('overload: '))).toEqual([
    expect.objectContaining({ level: 'warn', msg: 'overload: shedding requests' }),
    expect.objectContaining({ level: 'info', rejected: shed }),
  ])
})

test('a 503 of load shedding has the headers of its operation, of CORS and of the rate limit', async () => {
  const origin = 'https://app.example'
  const { service, end } = await startOverloaded({}, { CORS_ORIGINS: origin })
  const { key } = await service.issue({ perMinute: 60 })
  const headers = { Origin: origin, 'X-Request-Id': 'my-own-request' }
  const manual = await service.send(`${tools}/1/manual`, { key, headers })
  const head = await service.send(tools, { method: 'HEAD', key, headers })
  const many = await Promise.all(Array.from({ length: 100 }, () => service.send(tools)))
  await end()
  for (const { status } of [manual, head, ...many]) expect(status).toBe(503)
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
  // One after the other: none waits.
  for (let count = 0; count < 10; count++) expect((await service.send(tools)).status).toBe(200)
})

test('while writes are stuck they wait, and reads and health checks are served', async () => {
  // None of them waits for too long.
  const held = await startHeld({ REQUESTS_AT_ONCE: '2', OVERLOAD_WAIT_MS: '60000' })
  const { service, waitFor, release, created } = held
  const writes = Array.from({ length: 10 }, () => service.send(tools, saw))
  await waitFor(8)
  for (const path of ['/readyz', ...Array(5).fill('/lending/v2/opening-hours')]) {
    expect((await service.send(path)).status).toBe(200)
  }
  expect(created()).toBe(0)
  release()
  for (const { status } of await Promise.all(writes)) expect(status).toBe(201)
})

test('a request whose client leaves while it waits is never worked on', async () => {
  const held = await startHeld({ OVERLOAD_WAIT_MS: '60000' })
  const { service, waitFor, startCreate, release, created } = held
  const running = await startCreate()
  const leaving = [1, 2, 3].map(() => openSocket(service.origin))
  for (const socket of leaving) socket.write(createRequests(service).post())
  await waitFor(3)
  for (const socket of leaving) socket.destroy()
  await waitFor(0)
  release()
  expect((await running.created).status).toBe(201)
  expect((await service.send(tools, saw)).status).toBe(201)
  expect(created()).toBe(2)
})

test('clients that leave while their API key is checked take no slot from others', async () => {
  const { service, release } = await startHeld()
  const { keys } = service.store
  const asked = Promise.withResolvers<void>()
  const { digestsAfter } = keys
  // One query for the keys of all: none of the service's own has been used yet.
  Object.assign(keys, {
    async digestsAfter(...values: Parameters<typeof digestsAfter>) {
      await asked.promise
      return digestsAfter(...values)
    },
  })
  const leaving = [1, 2, 3].map(() => openSocket(service.origin))
  for (const socket of leaving) socket.write(createRequests(service).get())
  await expectInFlight(service, 3)
  for (const socket of leaving) socket.destroy()
  await expectInFlight(service, 0)
  asked.resolve()
  release()
  expect((await service.send(tools)).status).toBe(200)
})

test('clients that read no responses, or are slow to send a body, keep no other client waiting', async () => {
  const limits = { REQUESTS_AT_ONCE: '1', OVERLOAD_WAIT_MS: '60000' }
  const service = await startFixtureService(limits)
  const { get, post } = createRequests(service)
  for (let count = 0; count < 5; count++) {
    openSocket(service.origin).pause().write(get('/openapi.json').repeat(99))
  }
  const slow = openSocket(service.origin)
  slow.write(post(`${length}Expect: 100-continue\r\n`, ''))
  // With 100 Continue the service has begun to read the body.
  await new Promise((received) => slow.once('data', received))
  slow.write('{')
  for (let count = 0; count < 5; count++) expect((await service.send(tools)).status).toBe(200)
  expect((await service.send(tools, saw)).status).toBe(201)
})
