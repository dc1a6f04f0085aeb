import { once } from 'node:events'
import { expect, test, vi } from 'vitest'
import { apiKeyMarker } from '../../../server/process/names.ts'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import { stopClocks } from '../../helpers/clocks.ts'
import { startFixtureService, tools } from '../../helpers/fixture-service.ts'
import { readMetrics, requestsOf } from '../../helpers/metrics.ts'
import { openSocket } from '../../helpers/raw.ts'

const observed = { OPS_PORT: '0' }
const base = '/lending/v2'

test('metrics are on OPS_PORT alone, and the API is not; with OPS_PORT=off there are none', async () => {
  expect((await startFixtureService({ OPS_PORT: 'off' })).metricsUrl).toBe('')
  const { send, metricsUrl, origin } = await startFixtureService(observed)
  expect(new URL(metricsUrl).port).not.toBe(new URL(origin).port)
  const response = await fetch(metricsUrl)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  expect((await send('/metrics')).status).toBe(404)
  for (const path of ['/', tools, '/readyz', '/metrics/']) {
    expect((await fetch(new URL(path, metricsUrl))).status, path).toBe(404)
  }
  expect((await fetch(metricsUrl, { method: 'POST' })).status).toBe(405)
  expect((await fetch(`${metricsUrl}?name=x`, { method: 'HEAD' })).status).toBe(200)
})

test('requests are counted by operation and status, and clients cannot add a label', async () => {
  const service = await startFixtureService(observed)
  const { send, apiKey } = service
  await send(tools, { json: { kind: 'saw', name: 'Ryoba', teeth: 24 } })
  for (const method of ['HEAD', 'PATCH']) {
    await send(tools, { method })
  }
  const unknown = [`${base}/a`, `${base}/b`, `${base}/${apiKey}`, '/c', '/d']
  const served = ['?limit=5', '?limit=6', '/999'].map((target) => tools + target)
  const pages = ['/livez', '/readyz', '/openapi.json']
  for (const path of [...unknown, ...served, ...pages]) {
    await send(path)
  }

  const series = await readMetrics(service)
  expect(requestsOf(series, 'createTool', 201)).toBe(1)
  expect(requestsOf(series, 'listTools', 200)).toBe(3)
  expect(requestsOf(series, 'getTool', 404)).toBe(1)
  expect(requestsOf(series, '(unknown)', 404)).toBe(5)
  expect(requestsOf(series, '(unknown)', 405)).toBe(1)
  expect(requestsOf(series, '(probe)', 200)).toBe(2)
  expect(requestsOf(series, '(page)', 200)).toBe(1)
  expect([...series.keys()].join('\n')).not.toContain(apiKeyMarker)
  expect(series.get(`api_info{version="${fixtureApi.version}"}`)).toBe(1)
  expect(series.get('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
  expect(series.get('process_resident_memory_bytes')).toBeGreaterThan(0)
})

test('rate-limited requests are counted by limit, bans when they begin, and both are logged with the id of the key', async () => {
  const limits = { ANONYMOUS_PER_MINUTE: '2', BAN_AFTER: '3' }
  const service = await startFixtureService({ ...observed, ...limits })
  const { key, id } = await service.issue({ perMinute: 1 })
  for (let count = 0; count < 6; count++) {
    await service.send(tools, { key })
  }
  for (let count = 0; count < 5; count++) {
    await service.send(tools, { key: '' })
  }
  const series = await readMetrics(service)
  const rejected = ['key', 'ban', 'address'].map((limit) =>
    series.get(`api_limits_rejected_total{limit="${limit}"}`),
  )
  expect(rejected).toEqual([2, 3, 3])
  expect(series.get('api_bans_total')).toBe(1)
  const lines = service.requestLines.filter(({ keyId }) => keyId === id)
  const codes = [undefined, 'rate_limited', 'rate_limited', ...Array(3).fill('api_key_banned')]
  expect(lines.map(({ code }) => code)).toEqual(codes)
})

const deprecatedUse = 'api_deprecated_requests_total'

test('requests to a deprecated operation are counted by key', async () => {
  const service = await startFixtureService(observed)
  const { key, id } = await service.issue()
  for (const path of ['1/manual', '2/manual', '1']) {
    await service.send(`${tools}/${path}`, { key })
  }
  await service.send(`${tools}/1/manual`, { key: '' })
  const uses = [...(await readMetrics(service))].filter(([name]) => name.startsWith(deprecatedUse))
  const labels = `operation="getManual",key="${id}"`
  expect(uses).toEqual([[`${deprecatedUse}{${labels}}`, 2]])
})

test('a deprecated operation has 200 series by key at most; other keys are counted together until one is idle for a day', async () => {
  stopClocks()
  const service = await startFixtureService(observed)
  const readUses = async () => {
    const entries = [...(await readMetrics(service))]
    const uses = entries.filter(([name]) => name.startsWith(deprecatedUse))
    return new Map(uses.map(([name, count]) => [/key="(\w+)"/.exec(name)?.[1], count]))
  }
  const use = async ({ key }: { readonly key: string }) => {
    await (await service.send(`${tools}/1/manual`, { key })).arrayBuffer()
  }
  const issued = await Promise.all(Array.from({ length: 202 }, () => service.issue()))
  for (const key of issued) {
    await use(key)
  }
  const ids = issued.map(({ id }) => id)
  const full = await readUses()
  expect([...full.keys()]).toEqual([...ids.slice(0, 200), 'other'])
  expect(full.get('other')).toBe(2)

  vi.advanceTimersByTime(86_400_001)
  const [first, , ...others] = issued
  if (first === undefined) {
    throw new Error('No key was issued.')
  }
  const last = others.at(-1) ?? first
  await use(last)
  await use(first)
  const later = await readUses()
  expect(later).toEqual(
    new Map([
      ['other', 2],
      [last.id, 1],
      [first.id, 1],
    ]),
  )
})

test('open and rejected connections are counted, rejections are logged once, and /livez on OPS_PORT responds when all are used', async () => {
  const service = await startFixtureService({ ...observed, MAX_CONNECTIONS: '2' })
  for (let count = 0; count < 2; count++) {
    await once(openSocket(service.origin), 'connect')
  }
  for (let count = 0; count < 3; count++) {
    await expect(fetch(`${service.origin}/livez`)).rejects.toThrow()
  }
  const probe = await fetch(new URL('/livez', service.metricsUrl))
  expect([probe.status, await probe.text()]).toEqual([200, 'ok\n'])
  // Counters are read twice: what is shown must not add up.
  await readMetrics(service)
  const series = await readMetrics(service)
  const shown = [
    '',
    '_max',
    '_rejected_total{limit="all"}',
    '_rejected_total{limit="address"}',
  ].map((name) => series.get(`api_connections${name}`))
  expect(shown).toEqual([2, 2, 3, 0])
  const message = 'connections: rejecting beyond MAX_CONNECTIONS'
  expect(service.logged).toMatchObject([{ level: 'warn', msg: message }])
})
