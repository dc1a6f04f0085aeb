import { setTimeout as wait } from 'node:timers/promises'
import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { expect, test } from 'vitest'
import { apiName } from '../../../server/process/names.ts'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import { startFixtureService, tools } from '../../helpers/fixture-service.ts'
import { findFreePort } from '../../helpers/free-port.ts'
import { startCollector } from './support/collector.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'
const traceparent = `00-${traceId}-${spanId}-01`

const base = '/lending/v2'

async function startTraced(more: Readonly<Record<string, string>> = {}, isSilent = false) {
  const collector = await startCollector(isSilent)
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...more }
  return { collector, ...(await startFixtureService(environment)) }
}

test('a request is one line of the log, and a span of its client’s trace with the attributes of the conventions', async () => {
  const { collector, issue, send, requestLines, logged, stop } = await startTraced()
  const { key, id } = await issue()
  const headers = { 'X-Request-Id': 'my-request-1', traceparent }
  await send(`${tools}/999?`, { key, headers })
  await send('/openapi.json')
  await stop()
  expect(requestLines).toEqual([
    {
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      msg: 'request completed',
      requestId: 'my-request-1',
      method: 'GET',
      path: `${tools}/999`,
      operationId: 'getTool',
      route: `${tools}/{toolId}`,
      status: 404,
      code: 'not_found',
      milliseconds: expect.any(Number),
      keyId: id,
      traceId,
    },
    expect.objectContaining({ path: '/openapi.json', status: 200 }),
  ])
  expect(`${requestLines[0]?.['milliseconds']}`).toMatch(/^\d+(\.\d{1,3})?$/)
  expect(requestLines[1]).not.toHaveProperty('keyId')
  expect(logged).toEqual([])

  expect(collector.received[0]).toMatch(/^POST \/v1\/traces\n/)
  const { version } = fixtureApi
  const service = { 'service.name': apiName, 'service.version': version }
  expect(collector.resource()).toMatchObject(service)
  const span = collector.spans().find(({ kind }) => kind - 1 === SpanKind.SERVER)
  expect(span).toMatchObject({ name: `GET ${base}/tools/{toolId}`, traceId, parentSpanId: spanId })
  expect(span?.attributes).toEqual({
    'http.request.method': 'GET',
    'http.route': `${tools}/{toolId}`,
    'http.response.status_code': 404,
    'url.path': `${tools}/999`,
    'url.scheme': 'http',
    'api.operation_id': 'getTool',
    'api.request_id': 'my-request-1',
    'api.key_id': id,
    'api.error_code': 'not_found',
  })
  expect(span?.status.code).toBe(SpanStatusCode.UNSET)
  const below = collector.spans().filter(({ parentSpanId }) => parentSpanId === span?.spanId)
  expect(new Set(below.map(({ name }) => name))).toEqual(
    new Set(['SELECT api_keys', 'SELECT tools']),
  )
  expect(below[0]).toMatchObject({ traceId, kind: SpanKind.CLIENT + 1 })
  expect(below[0]?.attributes).toEqual({
    'db.system.name': expect.stringMatching(/^(sqlite|postgresql)$/),
    'db.collection.name': 'api_keys',
    'db.operation.name': 'SELECT',
  })
})

test('a failed request and the use of the store that failed are marked as errors', async () => {
  const { collector, send, db, stop } = await startTraced()
  await send(tools)
  await db.execute('DROP TABLE tools')
  expect((await send(tools)).status).toBe(500)
  await stop()
  const failed = collector.spans().filter(({ status }) => status.code === SpanStatusCode.ERROR)
  expect(failed.map(({ name }) => name)).toEqual(['SELECT tools', `GET ${tools}`])
  expect(failed[1]?.attributes).toMatchObject({
    'error.type': '500',
    'http.response.status_code': 500,
    'api.error_code': 'internal_error',
  })
})

test('no span has a path in its name but that of an operation, and none has an API key', async () => {
  const { collector, send, apiKey, stop } = await startTraced()
  await send(`${base}/nothing`)
  await send('/nothing')
  await send(tools, { method: 'PROPFIND' })
  await send('/livez')
  await send(`${tools}/${apiKey}?key=${apiKey}`)
  const traced = { traceparent, tracestate: `a=${apiKey}` }
  await send(tools, { key: '', headers: { 'X-Request-Id': apiKey, ...traced } })
  await stop()
  const requests = collector.spans().filter(({ kind }) => kind - 1 === SpanKind.SERVER)
  const names = ['GET', 'GET', 'PROPFIND', `GET ${tools}/{toolId}`, `GET ${tools}`]
  expect(requests.map(({ name }) => name)).toEqual(names)
  for (const { attributes } of requests.slice(0, 3)) {
    expect(attributes).not.toHaveProperty('http.route')
  }
  expect(collector.received.join()).not.toContain(apiKey)
})

test.for([
  ['the client does not sample', {}, `00-${traceId}-${spanId}-00`, traceId],
  ['OTEL_TRACES_SAMPLER_ARG omits', { OTEL_TRACES_SAMPLER_ARG: '0' }, 'not one', ''],
] as const)('a trace that %s is not sent; its id is in the log', async ([, more, sent, id]) => {
  const { collector, send, requestLines, stop } = await startTraced(more)
  await send(tools, { headers: { traceparent: sent } })
  await stop()
  expect(collector.received).toEqual([])
  expect(requestLines).toMatchObject([{ traceId: expect.stringContaining(id) }])
})

test('a collector that is away is logged once, without its password, and requests are served', async () => {
  const place = `127.0.0.1:${await findFreePort()}`
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://user:s3cret@${place}/base` }
  const { send, logged, stop } = await startFixtureService(environment)
  for (let count = 0; count < 3; count++) {
    expect((await send(tools)).status).toBe(200)
  }
  await stop()
  expect(logged).toMatchObject([
    {
      level: 'warn',
      msg: 'tracing: spans cannot be sent and are dropped',
      collector: `http://${place}`,
      action: expect.stringContaining('OTEL_EXPORTER_OTLP_ENDPOINT'),
      reason: expect.stringContaining('ECONNREFUSED'),
    },
    { level: 'info', msg: 'tracing: no more failures', rejected: 1 },
  ])
  expect(JSON.stringify(logged)).not.toContain('s3cret')
})

test('a collector that never responds does not delay the stop beyond the grace', async () => {
  const { collector, send, stop } = await startTraced({ SHUTDOWN_GRACE_SECONDS: '1' }, true)
  expect((await send(tools)).status).toBe(200)
  await stop()
  await wait(100)
  // The export is still running: its own timeout is longer than the grace.
  expect([collector.received.length, collector.open()]).toEqual([1, 1])
})
