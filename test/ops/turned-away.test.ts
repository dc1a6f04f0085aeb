import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { exchangeBytes } from '../support/raw.ts'
import { startTestService } from '../support/service.ts'
import { readMetrics } from './support/metrics.ts'

const observed = { OPS_PORT: '0' }

/** Opens a connection that asks for nothing. */
async function holdConnection(origin: string): Promise<void> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  await new Promise((resolve) => socket.once('connect', resolve))
}

test('when callers have all connections, operators see it, and that the process need not be replaced', async () => {
  const service = await startTestService({ ...observed, MAX_CONNECTIONS: '2' })
  for (let count = 0; count < 2; count++) await holdConnection(service.origin)
  for (let count = 0; count < 3; count++) {
    await expect(fetch(`${service.origin}/livez`)).rejects.toThrow()
  }
  const probe = await fetch(new URL('/livez', service.metricsUrl))
  expect([probe.status, await probe.text()]).toEqual([200, 'ok\n'])
  // Counters are asked twice: what is shown must not add up.
  await readMetrics(service)
  const series = await readMetrics(service)
  expect(series.get('animal_store_connections')).toBe(2)
  expect(series.get('animal_store_connections_max')).toBe(2)
  const refused = (limit: string) =>
    series.get(`animal_store_connections_refused_total{limit="${limit}"}`)
  expect([refused('all'), refused('address')]).toEqual([3, 0])
})

test('what is no HTTP request is counted by status, and has a line under the id that it was answered', async () => {
  const service = await startTestService(observed)
  const answers = [
    await exchangeBytes(service.origin, 'nonsense\r\n\r\n'),
    await exchangeBytes(service.origin, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    await exchangeBytes(service.origin, 'GET http://[ HTTP/1.1\r\nHost: a\r\n\r\n'),
  ]
  await readMetrics(service)
  const series = await readMetrics(service)
  const refused = [400, 414, 505].map((status) =>
    series.get(`animal_store_framing_refused_total{status="${status}"}`),
  )
  expect(refused).toEqual([2, 0, 1])
  const lines = answers.map(({ status, headers: { 'x-request-id': requestId } }) =>
    expect.objectContaining({ level: 'info', status, requestId, code: 'bad_request_framing' }),
  )
  expect(service.requestLines).toEqual(lines)
})

test('whoever opens a connection and leaves without a word gets no answer, and no line', async () => {
  const service = await startTestService(observed)
  const { hostname, port } = new URL(service.origin)
  const socket = connect(Number(port), hostname)
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.destroy()
  await expect
    .poll(async () => (await readMetrics(service)).get('animal_store_connections'))
    .toBe(0)
  expect([...service.requestLines, ...service.logged]).toEqual([])
})
