import { connect } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { Registry } from 'prom-client'
import { expect, test, vi } from 'vitest'
import { countDeprecatedUse } from '../../server/ops/metrics/deprecated-metrics.ts'
import { ask } from '../support/ask.ts'
import { createSqlitePlace } from '../support/places/sqlite-place.ts'
import { startTestService } from '../support/service.ts'
import { serveWorkshop } from '../support/workshop.ts'
import { readMetrics, readSeries, requestsOf } from './support/metrics.ts'

const observed = { OPS_PORT: '0' }

test('metrics are on their port, and nothing of the API is there; they are not where the API is', async () => {
  const { send, metricsUrl, origin } = await startTestService(observed)
  expect(new URL(metricsUrl).port).not.toBe(new URL(origin).port)
  const response = await fetch(metricsUrl)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  expect((await send('/metrics')).status).toBe(404)
  for (const path of ['/', '/v1/pets', '/readyz', '/metrics/']) {
    expect((await fetch(new URL(path, metricsUrl))).status, path).toBe(404)
  }
  expect((await fetch(metricsUrl, { method: 'POST' })).status).toBe(405)
  expect((await fetch(`${metricsUrl}?name=x`, { method: 'HEAD' })).status).toBe(200)
})

test('without a port for them, metrics are not kept', async () => {
  expect((await startTestService({ OPS_PORT: 'off' })).metricsUrl).toBe('')
})

test('each request is counted under its operation and status, whatever callers make up', async () => {
  const service = await startTestService(observed)
  const { client, send, apiKey } = service
  await client.createPet({ name: 'Rex', categoryId: 7 })
  await client.listPets({ limit: 5 })
  await send('/v1/pets?limit=6')
  await send('/v1/pets', { method: 'HEAD' })
  await send('/v1/pets/999')
  for (const path of ['/v1/a', '/v1/b', '/c', '/d', `/v1/${apiKey}`]) await send(path)
  await send('/v1/pets', { method: 'PATCH' })
  for (const path of ['/livez', '/readyz', '/openapi.json']) await send(path)

  const series = await readMetrics(service)
  expect(requestsOf(series, 'createPet', 201)).toBe(1)
  expect(requestsOf(series, 'listPets', 200)).toBe(3)
  expect(requestsOf(series, 'getPet', 404)).toBe(1)
  expect(requestsOf(series, '(unknown)', 404)).toBe(5)
  expect(requestsOf(series, '(unknown)', 405)).toBe(1)
  expect(requestsOf(series, '(probe)', 200)).toBe(2)
  expect(requestsOf(series, '(page)', 200)).toBe(1)
  expect([...series.keys()].join('\n')).not.toContain('ask_')
  expect(series.get('animal_store_info{version="1.0.0"}')).toBe(1)
  expect(series.get('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
  expect(series.get('process_resident_memory_bytes')).toBeGreaterThan(0)
})

test('a request that is not answered is in flight, and then its caller is gone', async () => {
  const service = await startTestService(observed)
  const { hostname, port } = new URL(service.origin)
  const socket = connect(Number(port), hostname)
  const fields = [`Authorization: Bearer ${service.apiKey}`, 'Host: a', 'Content-Length: 50']
  const head = ['POST /v1/pets HTTP/1.1', ...fields, 'Content-Type: application/json']
  socket.write(`${head.join('\r\n')}\r\n\r\n{`)
  const inFlight = async () =>
    (await readMetrics(service)).get('animal_store_requests_in_flight') ?? Number.NaN
  await vi.waitUntil(async () => (await inFlight()) === 1)
  socket.destroy()
  await vi.waitUntil(async () => (await inFlight()) === 0)
  expect(requestsOf(await readMetrics(service), 'createPet', 'gone')).toBe(1)
  expect(service.requestLines).toMatchObject([{ operationId: 'createPet', method: 'POST' }])
  expect(service.requestLines[0]).not.toHaveProperty('status')
})

test('what limits refuse is counted by limit, and bans when they begin', async () => {
  const limits = { ANONYMOUS_PER_MINUTE: '2', BAN_AFTER: '3' }
  const service = await startTestService({ ...observed, ...limits })
  const { key } = await service.issue({ perMinute: 1 })
  for (let count = 0; count < 6; count++) await ask(service, key)
  for (let count = 0; count < 5; count++) await service.send('/v1/pets', { headers: {} })
  const series = await readMetrics(service)
  const refused = (limit: string) =>
    series.get(`animal_store_limits_refused_total{limit="${limit}"}`)
  expect([refused('key'), refused('ban'), refused('address')]).toEqual([2, 3, 3])
  expect(series.get('animal_store_bans_total')).toBe(1)
})

test('the use of what is deprecated is counted by key', async () => {
  const service = await startTestService(observed)
  const { key, id } = await service.issue()
  await ask(service, key, '/v1/pets/1')
  await ask(service, key, '/v1/pets/2')
  await ask(service, key)
  await service.send('/v1/pets/1', { headers: {} })
  const series = await readMetrics(service)
  const uses = [...series].filter(([name]) => name.startsWith('animal_store_deprecated'))
  const labels = `operation="getPet",key="${id}"`
  expect(uses).toEqual([[`animal_store_deprecated_requests_total{${labels}}`, 2]])
})

test('beyond a number of keys, their use of what is deprecated is counted together', async () => {
  const register = new Registry()
  const { get } = await serveWorkshop({}, 'strict', [countDeprecatedUse([register], 2)])
  for (const caller of ['a', 'b', 'c', 'd', 'a']) await get('/tools/saw', { Authorization: caller })
  const keys = [...readSeries(await register.metrics())].map(([name, uses]) => [
    /key="(.*)"/.exec(name)?.[1],
    uses,
  ])
  expect(keys).toEqual([
    ['a', 2],
    ['b', 1],
    ['(others)', 2],
  ])
})

test.for(['strict', 'log'])('an answer off the contract is counted (%s)', async (validation) => {
  const place = await createSqlitePlace()
  const service = await startTestService({ ...observed, RESPONSE_VALIDATION: validation }, place)
  await service.client.createPet({ name: 'Rex', categoryId: 7 })
  const database = new DatabaseSync(place.file)
  database.exec(`UPDATE animals SET status = 'lost'`)
  database.close()
  // What this asks for is not what the contract says, so the recorder is not to see it.
  const headers = { Authorization: `Bearer ${service.apiKey}` }
  const { status } = await fetch(`${service.baseUrl}/pets`, { headers })
  expect(status).toBe(validation === 'strict' ? 500 : 200)
  const series = await readMetrics(service)
  const violations = (operation: string) =>
    series.get(`animal_store_contract_violations_total{operation="${operation}"}`)
  expect([violations('listPets'), violations('getPet')]).toEqual([1, 0])
  expect(requestsOf(series, 'listPets', status)).toBe(1)
})
