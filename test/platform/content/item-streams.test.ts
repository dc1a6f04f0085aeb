import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { respond } from '../../../server/contract/handler-response.ts'
import { receive } from '../../helpers/raw.ts'
import { startStreams } from './support/stream-service.ts'
import type { StreamHandler, StreamKind } from './support/streams.ts'

async function* itemsOf(...items: readonly unknown[]) {
  for (const item of items) {
    await wait(1)
    yield item
  }
}

const send = (kind: StreamKind, ...items: readonly unknown[]) =>
  [kind, () => respond(200, itemsOf(...items))] as const

/** Items as a handler returns them, and the content that the client gets. */
const sent: readonly (readonly [StreamKind, readonly unknown[], string])[] = [
  ['data', [{ cents: 1 }, { cents: 2 }], 'data: {"cents":1}\n\ndata: {"cents":2}\n\n'],
  [
    'events',
    [
      { data: { cents: 1, note: 'a\nb' }, id: '7', event: 'price', retry: 500 },
      { data: { cents: 2 } },
    ],
    'event: price\nid: 7\nretry: 500\ndata: {"cents":1,"note":"a\\nb"}\n\ndata: {"cents":2}\n\n',
  ],
  ['numbers', [1, 2], 'data: 1\n\ndata: 2\n\n'],
  ['contents', [{ data: { cents: 1 } }], 'data: {"cents":1}\n\n'],
  ['mixed', [{ data: { cents: 1 } }, { data: '[DONE]' }], 'data: {"cents":1}\n\ndata: [DONE]\n\n'],
  ['texts', [{ data: 'a\nb\r\nc\rd' }], 'data: a\ndata: b\ndata: c\ndata: d\n\n'],
  ['texts', [{ data: '' }, { data: 'é', id: '' }], 'data: \n\nid: \ndata: é\n\n'],
  ['lines', [{ cents: 1 }, { cents: 2 }], '{"cents":1}\n{"cents":2}\n'],
  ['sequence', [{ cents: 1 }, { cents: 2 }], '\u001e{"cents":1}\n\u001e{"cents":2}\n'],
  ['lines', [], ''],
]

test('items are written as their media type says', async () => {
  const service = await startStreams(sent.map(([kind, items]) => send(kind, ...items)))
  for (const [index, [kind, , content]] of sent.entries()) {
    expect.soft(await service.read(`/v1/${index}`), `${kind} ${index}`).toBe(content)
  }
  expect(service.logged).toEqual([])
})

test('the headers of a stream are sent before its first item, and keep proxies from collecting items', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  async function* items() {
    await promise
    yield { cents: 1 }
  }
  const service = await startStreams([['data', () => respond(200, items())]])
  const response = await service.send('/v1/0')
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  resolve()
  expect(await response.text()).toBe('data: {"cents":1}\n\n')
})

const invalid: readonly (readonly [StreamKind, unknown, string])[] = [
  ['data', { cents: 'one' }, '/item/cents must be an integer'],
  ['events', { data: { cents: 1, more: 2 } }, '/item/data/more is not a known field'],
  ['events', { data: { cents: 1 }, id: 'a\nb' }, '/item/id must be one line without NUL'],
  ['texts', { data: 'a', event: 'a\rb' }, '/item/event must be one line'],
  ['texts', { data: 7 }, '/item/data must be a string'],
  ['lines', {}, '/item/cents is missing'],
  ['lines', undefined, '/item is missing'],
]

test('an invalid item ends events with an event of the error, and cuts other streams off', async () => {
  const valid = { data: { data: { cents: 0 } }, texts: { data: 'ok' } }
  const first = (kind: StreamKind) => {
    if (kind === 'events') {
      return valid.data
    }
    return kind === 'texts' ? valid.texts : { cents: 0 }
  }
  const service = await startStreams(
    invalid.map(([kind, item]) => send(kind, first(kind), item, first(kind))),
  )
  for (const [index, [kind]] of invalid.entries()) {
    const received = await receive(service.open(`/v1/${index}`, 'Connection: close\r\n'))
    const [, content = ''] = received.split('\r\n\r\n', 2)
    if (kind === 'lines') {
      // The end of chunked content is missing.
      expect.soft(received).toMatch(/\{"cents":0\}\n\r\n$/)
      continue
    }
    const [, body = ''] = /event: error\ndata: (.*)\n\n\r\n0\r\n\r\n$/.exec(received) ?? []
    expect.soft(JSON.parse(body), content).toMatchObject({ status: 500, code: 'internal_error' })
  }
  const lines = invalid.map(([, , violation], index) => {
    const expected = { msg: 'stream item validation failed', path: `/v1/${index}` }
    return { level: 'error', requestId: expect.any(String), ...expected, violations: [violation] }
  })
  expect(service.logged).toMatchObject(lines)
})

test('RESPONSE_VALIDATION=log sends invalid items without what would end their fields, and logs the first one', async () => {
  const wrong = { cents: 'one' }
  const broken = { data: 'a\rb', event: 'x\r\ny', id: 'i\0d' }
  const streams = [send('data', wrong, wrong, { cents: 1 }), send('texts', broken, broken)]
  const service = await startStreams(streams, { RESPONSE_VALIDATION: 'log' })
  expect(await service.read('/v1/0')).toBe(
    'data: {"cents":"one"}\n\ndata: {"cents":"one"}\n\ndata: {"cents":1}\n\n',
  )
  const event = 'event: xy\nid: id\ndata: a\ndata: b\n\n'
  expect(await service.read('/v1/1')).toBe(event + event)
  const message = 'stream item validation failed'
  expect(service.logged.map(({ msg }) => msg)).toEqual([message, message])
})

test('an error of the handler ends events with an event of the error, and cuts other streams off', async () => {
  async function* fail() {
    yield { cents: 1 }
    throw new RangeError('no such shelf')
  }
  const service = await startStreams([
    ['data', () => respond(200, fail())],
    ['lines', () => respond(200, fail())],
  ])
  const content = await service.read('/v1/0')
  expect(content).toMatch(/^data: \{"cents":1\}\n\nevent: error\ndata: \{"code":"internal_error"/)
  expect(content).not.toContain('shelf')
  const lines = await receive(service.open('/v1/1'))
  expect(lines).toMatch(/\{"cents":1\}\n\r\n$/)
  const err = expect.objectContaining({ message: 'no such shelf' })
  const line = expect.objectContaining({ level: 'error', msg: 'stream failed', err })
  expect(service.logged).toEqual([line, line])
})

test('what is no stream is a 500; HEAD gets the headers, and no item is read', async () => {
  let reads = 0
  async function* items() {
    reads++
    yield { cents: 1 }
  }
  const service = await startStreams([
    ['data', () => respond(200, 'data: {}\n\n')],
    ['data', () => respond(200, items())],
  ])
  expect((await service.send('/v1/0')).status).toBe(500)
  const head = await service.send('/v1/1', { method: 'HEAD' })
  expect([head.status, head.headers.get('content-type'), reads]).toEqual([
    200,
    'text/event-stream',
    0,
  ])
})

/** Items that never come, until their consumer leaves. */
async function* never(signal: AbortSignal | undefined) {
  await once(new EventTarget(), 'never', { signal })
  yield undefined
}

test('an idle stream of events gets comments, and no timeout closes it or an idle stream of lines', async () => {
  const idle: StreamHandler = (_input, { signal }) => respond(200, never(signal))
  const limits = { STREAM_KEEP_ALIVE_SECONDS: '1', SOCKET_TIMEOUT_SECONDS: '2' }
  const service = await startStreams(
    [
      ['data', idle],
      ['lines', idle],
    ],
    limits,
  )
  const [events, lines] = [service.open('/v1/0'), service.open('/v1/1')]
  let received = ''
  events.setEncoding('latin1').on('data', (chunk) => {
    received += chunk
  })
  await expect.poll(() => received, { timeout: 15_000 }).toMatch(/(\r\n2\r\n:\n){4}/)
  expect([events.closed, lines.closed]).toEqual([false, false])
})

test.for([
  ['data', true],
  ['lines', false],
] as const)(
  'pages of other origins may send Last-Event-ID for events alone: %s',
  async ([kind, isAllowed]) => {
    const origin = 'https://app.example'
    const { send } = await startStreams([[kind, () => respond(200, itemsOf())]], {
      CORS_ORIGINS: origin,
    })
    const headers = { Origin: origin, 'Access-Control-Request-Method': 'GET' }
    const response = await send('/v1/0', { method: 'OPTIONS', key: '', headers })
    const allowed = response.headers.get('access-control-allow-headers')?.split(', ')
    expect([response.status, allowed?.includes('Last-Event-ID')]).toEqual([204, isAllowed])
  },
)

test('the ID of the last event reaches the handler', async () => {
  const service = await startStreams([
    ['texts', (_input, { lastEventId }) => respond(200, itemsOf({ data: String(lastEventId) }))],
  ])
  expect(await service.read('/v1/0')).toBe('data: undefined\n\n')
  const header = Buffer.from('é-7').toString('latin1')
  expect(await service.read('/v1/0', { 'Last-Event-ID': header })).toBe('data: é-7\n\n')
})
