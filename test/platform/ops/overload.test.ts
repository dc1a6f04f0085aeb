import { expect, test, vi } from 'vitest'
import {
  createRequests,
  length,
  startFixtureWith,
  tool,
  tools,
} from '../../helpers/fixture-service.ts'
import { expectMetric, readMetrics, requestsOf } from '../../helpers/metrics.ts'
import { openSocket } from '../../helpers/raw.ts'

const saw: { readonly json: object } = { json: JSON.parse(tool) }

/**
 * Starts a service that processes one request of a kind at a time; its handlers wait for `release`.
 * No request waits for too long, unless a test sets `OVERLOAD_WAIT_MS`.
 */
async function startHeld(environment: Readonly<Record<string, string>> = {}) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const listed = { status: 200, body: [], headers: { 'X-Total': 0 } }
  const createTool = vi.fn(() =>
    released.then(() => ({ status: 201, body: { id: 1, ...saw.json } })),
  )
  const service = await startFixtureWith(
    { handlers: { listTools: () => released.then(() => listed), createTool } },
    { REQUESTS_AT_ONCE: '1', OVERLOAD_WAIT_MS: '60000', OPS_PORT: '0', ...environment },
  )
  /** Sends a request and waits until the service works on it. */
  async function startFirst(init: Partial<typeof saw>) {
    const response = service.send(tools, init)
    await expectMetric(service, 'requests_in_flight', 1)
    return { response }
  }
  return { service, startFirst, release, created: () => createTool.mock.calls.length }
}

test('an overloaded service rejects with 503 and Retry-After, does nothing of what it rejects, responds to health checks, and recovers', async () => {
  const { service, startFirst, release, created } = await startHeld({ OVERLOAD_WAIT_MS: '100' })
  const load = async () => {
    const series = await readMetrics(service)
    const names = ['overloaded', 'requests_waiting', 'requests_shed_total']
    return names.map((name) => series.get(`api_${name}`))
  }
  const first = await startFirst(saw)
  const rejected = await service.ask(tools, saw)
  const { 'retry-after': seconds } = rejected
  expect(seconds).toMatch(/^[1-4]$/)
  expect(rejected).toMatchObject({
    status: 503,
    code: 'unavailable',
    message: `The service is overloaded. Retry in ${seconds} second${seconds === '1' ? '' : 's'}.`,
  })
  const others: Promise<Response>[] = []
  const loadWithOneMore = () => {
    others.push(service.send(tools, saw))
    return load()
  }
  await expect.poll(loadWithOneMore).toEqual([1, expect.any(Number), expect.any(Number)])
  // Health checks and pages do not wait, nor does what is rejected for another reason.
  const statuses = { '/livez': 200, '/readyz': 200, '/docs': 200, [tools]: 401, '/other': 404 }
  for (const [path, status] of Object.entries(statuses)) {
    expect((await service.send(path, { key: '' })).status, path).toBe(status)
  }

  for (const { status } of await Promise.all(others)) {
    expect(status).toBe(503)
  }
  release()
  expect((await first.response).status).toBe(201)
  expect(created()).toBe(1)
  const shed = 1 + others.length
  expect(await load()).toEqual([0, 0, shed])
  // Rejected requests would make the others look fast.
  const series = await readMetrics(service)
  expect([503, 201].map((status) => requestsOf(series, 'createTool', status))).toEqual([0, 1])
  await service.stop()
  expect(service.logged.filter(({ msg }) => String(msg).startsWith('overload: '))).toEqual([
    expect.objectContaining({ level: 'warn', msg: 'overload: shedding requests' }),
    expect.objectContaining({ level: 'info', rejected: shed }),
  ])
})

test('a 503 of load shedding has the headers of its operation, of CORS and of the rate limit', async () => {
  const origin = 'https://app.example'
  const environment = { OVERLOAD_WAIT_MS: '100', CORS_ORIGINS: origin }
  const { service, startFirst, release } = await startHeld(environment)
  const first = await startFirst({})
  const { key } = await service.issue({ perMinute: 60 })
  const headers = { Origin: origin, 'X-Request-Id': 'my-own-request' }
  expect(await service.ask(`${tools}/1/manual`, { key, headers })).toMatchObject({
    status: 503,
    'access-control-allow-origin': origin,
    'cache-control': 'no-store',
    deprecation: expect.stringMatching(/^@\d+$/),
    vary: 'Origin',
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': '59',
    'x-request-id': 'my-own-request',
  })
  const head = await service.ask(tools, { method: 'HEAD', key, headers })
  expect(head).toMatchObject({ status: 503, 'content-length': expect.any(String) })
  release()
  expect((await first.response).status).toBe(200)
  // What was rejected takes no slot.
  expect((await service.send(tools)).status).toBe(200)
})

test('while writes are stuck they wait, and reads and health checks are served', async () => {
  const { service, release, created } = await startHeld({ REQUESTS_AT_ONCE: '2' })
  const writes = Array.from({ length: 9 }, () => service.send(tools, saw))
  await expectMetric(service, 'requests_waiting', 7)
  for (const path of ['/readyz', ...Array(5).fill('/lending/v2/opening-hours')]) {
    expect((await service.send(path)).status).toBe(200)
  }
  expect(created()).toBe(2)
  // The limit is the same after requests have ended.
  const reads = [1, 2, 3].map(() => service.send(tools))
  await expectMetric(service, 'requests_waiting', 8)
  release()
  for (const { status } of await Promise.all(writes)) {
    expect(status).toBe(201)
  }
  for (const { status } of await Promise.all(reads)) {
    expect(status).toBe(200)
  }
  expect(created()).toBe(9)
})

test('a request whose client leaves while it waits is never worked on, and one that leaves later frees its slot', async () => {
  const { service, release, created } = await startHeld()
  const open = () => openSocket(service.origin)
  const first = open()
  first.write(createRequests(service).post())
  await expectMetric(service, 'requests_in_flight', 1)
  const leaving = [open(), open(), open()]
  for (const socket of leaving) {
    socket.write(createRequests(service).post())
  }
  await expectMetric(service, 'requests_waiting', 3)
  for (const socket of leaving) {
    socket.destroy()
  }
  await expectMetric(service, 'requests_waiting', 0)
  first.destroy()
  await expectMetric(service, 'requests_in_flight', 0)
  release()
  expect((await service.send(tools, saw)).status).toBe(201)
  expect(created()).toBe(2)
  expect(service.logged).toEqual([])
})

test('clients that leave while their API key is checked take no slot from others', async () => {
  const { service, release } = await startHeld()
  const { keys } = service.store
  const asked = Promise.withResolvers<void>()
  const { digestsAfter } = keys
  // One query for the keys of all: none of the service's own has been used yet.
  vi.spyOn(keys, 'digestsAfter').mockImplementation(async (...values) => {
    await asked.promise
    return digestsAfter(...values)
  })
  const leaving = [1, 2, 3].map(() => openSocket(service.origin))
  for (const socket of leaving) {
    socket.write(createRequests(service).get())
  }
  await expectMetric(service, 'requests_in_flight', 3)
  for (const socket of leaving) {
    socket.destroy()
  }
  await expectMetric(service, 'requests_in_flight', 0)
  asked.resolve()
  release()
  expect((await service.send(tools)).status).toBe(200)
})

test('clients that read no responses, or are slow to send a body, keep no other client waiting', async () => {
  const limits = { REQUESTS_AT_ONCE: '1', OVERLOAD_WAIT_MS: '60000' }
  const large = { status: 200, body: { text: 'a'.repeat(1e6) } }
  const service = await startFixtureWith({ handlers: { getManual: () => large } }, limits)
  const { get, post } = createRequests(service)
  for (let count = 0; count < 5; count++) {
    openSocket(service.origin)
      .pause()
      .write(get(`${tools}/1/manual`).repeat(20))
  }
  const slow = openSocket(service.origin)
  slow.write(post(`${length}Expect: 100-continue\r\n`, ''))
  // With 100 Continue the service has begun to read the body.
  await new Promise((received) => slow.once('data', received))
  slow.write('{')
  for (let count = 0; count < 5; count++) {
    expect((await service.send(tools)).status).toBe(200)
  }
  expect((await service.send(tools, saw)).status).toBe(201)
})
