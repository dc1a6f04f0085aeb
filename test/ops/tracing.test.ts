import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { expect, test, vi } from 'vitest'
import { findFreePort } from '../support/free-port.ts'
import { startCommand } from '../support/program.ts'
import { startTestService } from '../support/service.ts'
import { startCollector } from './support/collector.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'

async function startTraced(more: Readonly<Record<string, string>> = {}) {
  const collector = await startCollector()
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...more }
  return { collector, ...(await startTestService(environment)) }
}

test('a request is a span of its caller’s trace, in the words of the conventions', async () => {
  const { collector, issue, send, requestLines, stop } = await startTraced()
  const { key, id } = await issue()
  const headers = {
    Authorization: `Bearer ${key}`,
    'X-Request-Id': 'my-request-1',
    traceparent: `00-${traceId}-${spanId}-01`,
  }
  await send('/v1/pets/999', { headers })
  await stop()
  expect(collector.received[0]).toMatch(/^POST \/v1\/traces\n/)
  expect(collector.resource()).toMatchObject({
    'service.name': 'animal-store',
    'service.version': '1.0.0',
  })
  const span = collector.spans().find(({ kind }) => kind - 1 === SpanKind.SERVER)
  expect(span).toMatchObject({ name: 'GET /v1/pets/{petId}', traceId, parentSpanId: spanId })
  expect(span?.attributes).toEqual({
    'http.request.method': 'GET',
    'http.route': '/v1/pets/{petId}',
    'http.response.status_code': 404,
    'url.path': '/v1/pets/999',
    'url.scheme': 'http',
    'animal_store.operation_id': 'getPet',
    'animal_store.request_id': 'my-request-1',
    'animal_store.key_id': id,
    'animal_store.error_code': 'not_found',
  })
  expect(span?.status.code).toBe(SpanStatusCode.UNSET)
  expect(requestLines[0]).toMatchObject({ traceId, requestId: 'my-request-1' })

  const below = collector.spans().filter(({ parentSpanId }) => parentSpanId === span?.spanId)
  expect(below.map(({ name }) => name)).toEqual(['find keys', 'find animals'])
  expect(below[1]).toMatchObject({ traceId, kind: SpanKind.CLIENT + 1 })
  expect(below[1]?.attributes).toEqual({
    'db.system.name': expect.stringMatching(/^(sqlite|postgresql)$/),
    'db.collection.name': 'animals',
    'db.operation.name': 'find',
  })
})

test('a failure is marked, on the span of the request and where it came from', async () => {
  const { collector, send, place, stop } = await startTraced()
  await send('/v1/pets')
  await place.dropAnimals()
  expect((await send('/v1/pets')).status).toBe(500)
  await stop()
  const failed = collector.spans().filter(({ status }) => status.code === SpanStatusCode.ERROR)
  expect(failed.map(({ name }) => name)).toEqual(['page animals', 'GET /v1/pets'])
  expect(failed[1]?.attributes).toMatchObject({
    'error.type': '500',
    'http.response.status_code': 500,
    'animal_store.error_code': 'internal_error',
  })
})

test('what is no operation has no route, and its name is nothing that callers make up', async () => {
  const { collector, send, stop } = await startTraced()
  await send('/v1/nothing')
  await send('/nothing')
  await send('/v1/pets', { method: 'PROPFIND' })
  await send('/livez')
  await stop()
  const requests = collector.spans().filter(({ kind }) => kind - 1 === SpanKind.SERVER)
  expect(requests.map(({ name }) => name)).toEqual(['GET', 'GET', 'HTTP'])
  for (const { attributes } of requests) expect(attributes).not.toHaveProperty('http.route')
  expect(requests[2]?.attributes).toMatchObject({
    'http.request.method': '_OTHER',
    'http.request.method_original': 'PROPFIND',
  })
})

test('no key is in what is sent, wherever a caller puts it', async () => {
  const { collector, send, apiKey, stop } = await startTraced()
  await send('/v1/pets')
  await send(`/v1/pets/${apiKey}?key=${apiKey}`)
  const traced = { traceparent: `00-${traceId}-${spanId}-01`, tracestate: `a=${apiKey}` }
  await send('/v1/pets', { headers: { 'X-Request-Id': apiKey, ...traced } })
  await stop()
  expect(collector.spans().length).toBeGreaterThan(3)
  expect(collector.received.join()).not.toContain(apiKey)
})

test('what the caller does not trace is not traced, and the log still names the trace', async () => {
  const { collector, send, apiKey, requestLines, stop } = await startTraced()
  const headers = { Authorization: `Bearer ${apiKey}`, traceparent: `00-${traceId}-${spanId}-00` }
  await send('/v1/pets', { headers })
  await stop()
  expect(collector.received).toEqual([])
  expect(requestLines).toMatchObject([{ traceId }])
})

test('of the traces that begin here the part is made that was asked for', async () => {
  const { collector, send, stop } = await startTraced({ OTEL_TRACES_SAMPLER_ARG: '0' })
  await send('/v1/pets', { headers: { traceparent: 'not one' } })
  await stop()
  expect(collector.received).toEqual([])
})

test('a collector that is away is told of once, without its password, and does no harm', async () => {
  const place = `127.0.0.1:${await findFreePort()}`
  const endpoint = `http://user:s3cret@${place}/base`
  const { send, logged, stop } = await startTestService({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
  for (let count = 0; count < 3; count++) expect((await send('/v1/pets')).status).toBe(200)
  await stop()
  expect(logged).toMatchObject([{ level: 'warn', collector: `http://${place}` }])
  expect(logged[0]?.['msg']).toMatch(/^Traces cannot be sent now.* OTEL_EXPORTER_OTLP_ENDPOINT /)
  expect(logged[0]?.['reason']).toContain('ECONNREFUSED')
  expect(JSON.stringify(logged)).not.toContain('s3cret')
})

test('a collector that never answers keeps nobody waiting beyond the grace', async () => {
  const collector = await startCollector('never')
  const { send, stop, logged } = await startTestService({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    SHUTDOWN_GRACE_SECONDS: '1',
  })
  expect((await send('/v1/pets')).status).toBe(200)
  await stop()
  expect(collector.received).toHaveLength(1)
  await vi.waitUntil(() => logged.length > 0)
  expect(logged[0]?.['reason']).toBe('the service ended before there was an answer')
})

test('what is not asked for is not loaded', async () => {
  const script = `await import('./server/main.ts')
    const { createRequire } = await import('node:module')
    const loaded = Object.keys(createRequire(import.meta.url).cache)
    const found = loaded.filter((file) => /prom-client|opentelemetry|pino-pretty/.test(file))
    console.log(loaded.length, found)
    process.kill(process.pid, 'SIGTERM')`
  const env = { PORT: '0', OPS_PORT: 'off', DATABASE_URL: 'sqlite::memory:' }
  const { output } = await startCommand(
    process.execPath,
    ['--input-type=module', '-e', script],
    env,
  ).ended
  expect(output).toMatch(/^[1-9]\d+ \[\]$/m)
})
