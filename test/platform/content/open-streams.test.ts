import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { respond } from '../../../server/contract/handler-response.ts'
import { expectMetric, readMetrics, requestsOf } from '../../helpers/metrics.ts'
import { receive } from '../../helpers/raw.ts'
import { startStreams } from './support/stream-service.ts'
import type { StreamHandler } from './support/streams.ts'

/** Yields one item, and then none until the client leaves. */
async function* idle(signal: AbortSignal | undefined) {
  yield { cents: 1 }
  await once(new EventTarget(), 'never', { signal })
}

const sendIdle: StreamHandler = (_input, { signal }) => respond(200, idle(signal))
const sendOne: StreamHandler = () => respond(200, Buffer.from('a'))

test('open streams take no slot from other requests, and have a metric and a line of the log each', async () => {
  const limits = { REQUESTS_AT_ONCE: '1', OVERLOAD_WAIT_MS: '60000', OPS_PORT: '0' }
  const service = await startStreams(
    [
      ['events', sendIdle],
      ['lines', sendIdle],
      ['bytes', sendOne],
    ],
    limits,
  )
  const sockets = [1, 1, 1].map((index) => service.open(`/v1/${index}`))
  await expectMetric(service, 'streams_open', 3)
  expect((await service.send('/v1/2')).status).toBe(200)
  expect((await readMetrics(service)).get('api_requests_in_flight')).toBe(0)
  expect((await readMetrics(service)).get('api_requests_waiting')).toBe(0)

  // More than the largest bucket of durations.
  const from = performance.now()
  await wait(1_200)
  for (const socket of sockets) {
    socket.destroy()
  }
  await expectMetric(service, 'streams_open', 0)
  const series = await readMetrics(service)
  expect(requestsOf(series, 'operation1', 200)).toBe(3)
  const sum = series.get('api_request_duration_seconds_sum{operation="operation1",status="200"}')
  expect(sum).toBeLessThan((performance.now() - from) / 1_000)
  const lines = service.requestLines.filter(({ operationId }) => operationId === 'operation1')
  const line = { msg: 'request aborted', status: 200, bytes: '{"cents":1}\n'.length }
  expect(lines).toMatchObject([line, line, line])
  for (const { milliseconds } of lines) {
    expect(milliseconds).toBeGreaterThan(1_000)
  }
  expect(service.logged).toEqual([])
})

test('streams beyond STREAMS_AT_ONCE get 503, and are logged once', async () => {
  const limits = { STREAMS_AT_ONCE: '2', OPS_PORT: '0' }
  const service = await startStreams(
    [
      ['lines', sendIdle],
      ['bytes', sendOne],
    ],
    limits,
  )
  const [first] = [service.open('/v1/0'), service.open('/v1/0')]
  await expectMetric(service, 'streams_open', 2)
  for (const [status, code, after] of [
    [503, 'unavailable', '5'],
    [503, 'unavailable', '5'],
  ]) {
    expect(await service.ask('/v1/0')).toMatchObject({ status, code, 'retry-after': after })
  }
  expect((await service.send('/v1/1')).status).toBe(200)
  expect(service.logged).toMatchObject([{ msg: 'streams: rejecting beyond STREAMS_AT_ONCE' }])
  first?.destroy()
  await expectMetric(service, 'streams_open', 1)
  await service.openUntil('/v1/0', 'cents')
})

test('a stop ends streams of events at once, and others at the end of the grace, between two items', async () => {
  async function* endless() {
    for (let cents = 0; ; cents++) {
      yield { cents, note: 'a'.repeat(50_000) }
      await wait(1)
    }
  }
  async function* finite() {
    yield { cents: 1 }
    await wait(500)
    yield { cents: 2 }
  }
  const service = await startStreams(
    [
      ['data', () => respond(200, endless())],
      ['data', sendIdle],
      ['lines', () => respond(200, finite())],
      ['lines', () => respond(200, endless())],
      ['lines', sendIdle],
    ],
    { SHUTDOWN_GRACE_SECONDS: '3', OPS_PORT: '0' },
  )
  const ended: number[] = []
  const received = [0, 1, 2, 3, 4].map(async (path) => {
    const text = await receive(service.open(`/v1/${path}`))
    ended.push(path)
    return text
  })
  await expectMetric(service, 'streams_open', received.length)
  await service.stop()
  const [events = '', idleEvents = '', whole = '', cut = '', idleLines = ''] =
    await Promise.all(received)

  expect(new Set(ended.slice(0, 2))).toEqual(new Set([0, 1]))
  // Complete: the last chunk is the empty one.
  expect(whole).toMatch(/\{"cents":2\}\n\r\n0\r\n\r\n$/)
  // Not complete, which the client sees, and without half an event or line.
  expect(events).toMatch(/a"\}\n\n\r\n$/)
  expect(idleEvents).toMatch(/data: \{"cents":1\}\n\n\r\n$/)
  expect(cut).toMatch(/a"\}\n\r\n$/)
  expect(idleLines).toMatch(/\{"cents":1\}\n\r\n$/)
  expect(service.logged).toEqual([])
})

test('a stop does not wait for streams of lines that are unread or idle', async () => {
  const isReleased = Promise.withResolvers<void>()
  let isEnding = false
  void isReleased.promise.then(() => {
    isEnding = true
  })
  async function* unread() {
    for (;;) {
      yield { cents: 1, note: 'a'.repeat(50_000) }
    }
  }
  async function* busy() {
    while (!isEnding) {
      yield { cents: 1 }
      await wait(50)
    }
    yield { cents: 2 }
  }
  const service = await startStreams(
    [
      ['lines', () => respond(200, unread())],
      ['lines', sendIdle],
      ['lines', () => respond(200, busy())],
    ],
    { SHUTDOWN_GRACE_SECONDS: '60', OPS_PORT: '0' },
  )
  const stalled = service.open('/v1/0')
  await once(stalled, 'readable')
  const idleLines = receive(service.open('/v1/1'))
  const busyLines = receive(service.open('/v1/2'))
  await expectMetric(service, 'streams_open', 3)

  const stopped = service.stop()
  expect(await idleLines).toMatch(/\{"cents":1\}\n\r\n$/)
  await expectMetric(service, 'streams_open', 1)
  isReleased.resolve()
  expect(await busyLines).toMatch(/\{"cents":2\}\n\r\n0\r\n\r\n$/)
  await stopped
  stalled.destroy()
  expect(service.logged).toEqual([])
})

test('a client of events that does not read for a while gets no comments for that time', async () => {
  const count = 400
  const note = 'a'.repeat(50_000)
  async function* large() {
    for (let index = 0; index < count; index++) {
      yield { cents: 1, note }
    }
  }
  const limits = { STREAM_KEEP_ALIVE_SECONDS: '1', SOCKET_TIMEOUT_SECONDS: '60' }
  const service = await startStreams([['data', () => respond(200, large())]], limits)
  const socket = service.open('/v1/0', 'Connection: close\r\n')
  await once(socket, 'readable')
  await wait(2_500)
  const text = await receive(socket)
  expect(text.split('data: ')).toHaveLength(count + 1)
  expect(text.includes('\r\n:\n\r\n')).toBe(false)
})

test('a stream of events that begins while the service stops ends at once, before its first item', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let reads = 0
  async function* items() {
    reads++
    yield { cents: 1 }
    await promise
  }
  const service = await startStreams(
    [
      ['bytes', () => promise.then(() => respond(200, Buffer.from('a')))],
      ['data', () => respond(200, items())],
    ],
    { OPS_PORT: '0' },
  )
  const slow = service.send('/v1/0')
  await expectMetric(service, 'requests_in_flight', 1)
  const stopped = service.stop()
  const response = await service.send('/v1/1')
  expect(response.status).toBe(200)
  await expect(response.text()).rejects.toThrow('terminated')
  expect(response.headers.get('connection')).toBe('close')
  expect(reads).toBe(0)
  resolve()
  expect((await slow).status).toBe(200)
  await stopped
})

test('through 100 forced cuts, a client that sends Last-Event-ID gets each event once', async () => {
  const events = 2_000
  async function* from(first: number) {
    for (let count = first; count <= events; count++) {
      if (count % 7 === 0) {
        await wait(1)
      }
      yield { id: `${count}`, data: { cents: count } }
    }
  }
  const service = await startStreams([
    ['events', (_input, { lastEventId = '0' }) => respond(200, from(Number(lastEventId) + 1))],
  ])
  const headers = { Authorization: `Bearer ${service.apiKey}` }
  const got: number[] = []
  let lastEventId = ''
  let cuts = 0

  /** Reads events until the connection is cut after some bytes, or the stream ends. */
  async function readSome(bytes: number): Promise<void> {
    const sent = lastEventId === '' ? {} : { 'Last-Event-ID': lastEventId }
    const response = await fetch(`${service.origin}/v1/0`, { headers: { ...headers, ...sent } })
    let text = ''
    let left = bytes
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk.slice(0, left)).toString()
      left -= chunk.length
      if (left <= 0) {
        cuts++
        break
      }
    }
    for (const [, id = '', cents] of text.matchAll(/id: (\d+)\ndata: \{"cents":(\d+)\}\n\n/g)) {
      got.push(Number(cents))
      lastEventId = id
    }
  }

  for (let at = 0; at < 100; at++) {
    await readSome(150 + ((at * 37) % 600))
  }
  expect(cuts).toBe(100)
  await readSome(Number.POSITIVE_INFINITY)
  expect(got).toEqual(Array.from({ length: events }, (_, index) => index + 1))
  expect(service.logged).toEqual([])
})
