import { getEventListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { EventParser } from '../../../client/event-parser.ts'
import { fail } from './support/client.ts'
import { collect, createStreams, sendParts } from './support/content-client.ts'

/** Splits bytes into parts of one length. */
function split(text: string, length: number): readonly Uint8Array[] {
  const bytes = new TextEncoder().encode(text)
  const count = Math.ceil(bytes.length / length)
  return Array.from({ length: count }, (_, at) => bytes.slice(at * length, (at + 1) * length))
}

const stream = [
  '\uFEFF:comment\r\n',
  'event: a\rid: 1\rdata: zoë 🐙\rdata:  two\r\r',
  'data\n\n',
  'id: 2\nretry: 10\nretry: x\nunknown: y\n\n',
  'id: a\0b\ndata:{"a":"b:c"}\r\n\r\n',
  'event: c\r\nid: 3\r\ndata: 3\r\n\r\n',
  'data: cut off',
].join('')

test.each([1, 2, 3, 5, 1000])('events are read from parts of %i bytes', (length) => {
  const parser = new EventParser()
  const events = split(stream, length).flatMap((part) => parser.read(part))
  expect(events).toEqual([
    { event: 'a', id: '1', data: 'zoë 🐙\n two' },
    { data: '' },
    { id: '2', retry: 10 },
    { data: '{"a":"b:c"}' },
    { event: 'c', id: '3', data: '3' },
  ])
})

test('an item is a whole event, or the data of one; a text beside JSON stays a text', async () => {
  const events = 'id: 1\ndata: {"a":1}\n\ndata: [DONE]\n\nevent: end\ndata: [1]\n\n'
  const whole = await collect(createStreams([sendParts([events])]).client.watch())
  expect(whole).toEqual({
    items: [{ id: '1', data: { a: 1 } }, { data: '[DONE]' }, { event: 'end', data: [1] }],
    error: undefined,
  })

  const { client, requests } = createStreams([sendParts(['data: "a"\n\n', ':\n', 'data: 1\n\n'])])
  expect((await collect(client.watchData())).items).toEqual(['a', 1])
  expect(requests.map(({ headers }) => headers.get('accept'))).toEqual(['text/event-stream'])
})

test.each([1, 2, 7, 1000])('JSON values are read from parts of %i bytes', async (length) => {
  const lines = split('{"a":"ë"}\r\n\n2\n"last"', length)
  const list = createStreams([sendParts(lines, 'end', 'application/jsonl; charset=utf-8')])
  expect(await collect(list.client.list())).toEqual({
    items: [{ a: 'ë' }, 2, 'last'],
    error: undefined,
  })

  const records = split('\u001e{\n"a":1\n}\n\u001e2\n\u001e"last"', length)
  const sequence = createStreams([sendParts(records, 'end', 'application/json-seq')])
  expect(await collect(sequence.client.listRecords())).toEqual({
    items: [{ a: 1 }, 2, 'last'],
    error: undefined,
  })
})

test('a stream that breaks off is requested again after its last event', async () => {
  const retries: unknown[] = []
  const script = [
    sendParts(['id: 1\ndata: 1\n\nid: 2\ndata: 2\n\nid: 3\nda'], 'break'),
    sendParts([], 'break'),
    sendParts(['id: 3\ndata: 3\n\n']),
  ]
  const { client, requests } = createStreams(script, {
    onRetry: (each: unknown) => retries.push(each),
  })
  expect(await collect(client.watchData())).toEqual({ items: [1, 2, 3], error: undefined })

  const sent = requests.map(({ headers }) => headers.get('last-event-id'))
  expect(sent).toEqual([null, '2', '2'])
  expect(retries).toMatchObject([{ attempt: 1 }, { attempt: 2, operationId: 'watchData' }])
})

test('the delay before a stream is requested again doubles while there is no event, up to maxRetryDelay', async () => {
  const delaysOf = async (first: string, maxRetryDelay: number) => {
    const delays: number[] = []
    const onRetry = ({ delay }: { readonly delay: number }) => delays.push(delay)
    const none = sendParts([], 'break')
    const next = sendParts(['id: 2\ndata: 2\n\n'], 'break')
    const script = [sendParts([first], 'break'), none, none, next, sendParts(['data: 3\n\n'])]
    const { client } = createStreams(script, { onRetry, maxRetryDelay })
    expect((await collect(client.watchData())).items).toEqual([1, 2, 3])
    return delays
  }
  // As the service wants it, or else at random.
  expect(await delaysOf('id: 1\nretry: 8\ndata: 1\n\n', 1_000)).toEqual([8, 16, 32, 8])
  expect(await delaysOf('id: 1\nretry: 8\ndata: 1\n\n', 20)).toEqual([8, 16, 20, 8])
  vi.spyOn(Math, 'random').mockReturnValue(0.01)
  expect(await delaysOf('id: 1\ndata: 1\n\n', 1_000)).toEqual([5, 10, 20, 5])
})

test('a stream begins after an event that the call names', async () => {
  const { client, requests } = createStreams([sendParts(['data: 1\n\n'])])
  await collect(client.watchData({ lastEventId: '7' }))
  await collect(client.watchData({ headers: { 'last-event-id': '8' } }))
  expect(requests.map(({ headers }) => headers.get('last-event-id'))).toEqual(['7', '8'])

  const wrong = await collect(client.watchData({ lastEventId: 7 }))
  expect(wrong.error).toMatchObject({ name: 'TypeError', message: 'lastEventId must be a string.' })
})

test.each([
  ['without an id', 'watchData', ['data: 1\n\n']],
  ['after an empty id', 'watchData', ['id: 1\ndata: 1\n\nid:\ndata: 2\n\n']],
  ['of a POST', 'start', ['id: 1\ndata: 1\n\n']],
] as const)('a stream %s that breaks off is an error', async (_, name, parts) => {
  const { client, requests } = createStreams([sendParts(parts, 'break')])
  const { items, error } = await collect(client[name]())
  expect(items.length).toBeGreaterThan(0)
  expect(error).toMatchObject({ code: 'network_error', operationId: name })
  expect(requests).toHaveLength(1)
})

test('a stream that breaks off again and again without an event is an error', async () => {
  const { client, requests } = createStreams([sendParts([], 'break')], { maxRetries: 2 })
  expect(await collect(client.watchData())).toMatchObject({
    items: [],
    error: { code: 'network_error' },
  })
  expect(requests).toHaveLength(3)
})

test('a stream ends where the service ends it, or has no content', async () => {
  const none = () => new Response(null, { status: 204 })
  const broken = sendParts(['id: 1\ndata: 1\n\n'], 'break')
  const { client, requests } = createStreams([broken, none])
  expect(await collect(client.watchData())).toEqual({ items: [1], error: undefined })
  expect(requests).toHaveLength(2)
})

test('an error event is the error of the call', async () => {
  const body = { code: 'unavailable', message: 'The store is away.', status: 503 }
  const event = `event: error\ndata: ${JSON.stringify(body)}\n\n`
  const { client, requests } = createStreams([sendParts(['id: 1\ndata: 1\n\n', event])])
  const { items, error } = await collect(client.watchData())
  expect(items).toEqual([1])
  expect(error).toMatchObject({ name: 'ApiError', code: 'unavailable', status: 503, body })
  expect(requests).toHaveLength(1)

  // An event of the API may have the same name.
  const own = createStreams([sendParts(['event: error\ndata: {"line":3}\n\n'])])
  expect((await collect(own.client.watch())).items).toEqual([{ event: 'error', data: { line: 3 } }])
})

test.each([
  ['another media type', 'watchData', sendParts(['[]'], 'end', 'application/json')],
  ['an event that is not JSON', 'watchData', sendParts(['data: {\n\n'])],
  ['a line that is not JSON', 'list', sendParts(['{\n1\n'], 'end', 'application/jsonl')],
  ['lines that end within a value', 'list', sendParts(['{"a":'], 'end', 'application/jsonl')],
] as const)('%s is an unexpected response', async (_, name, respond) => {
  const { client } = createStreams([respond])
  const { error } = await collect(client[name]())
  expect(error).toMatchObject({ code: 'unexpected_response', status: 200 })
})

test('lines that break off are an error after the items that have arrived', async () => {
  const { client } = createStreams([sendParts(['1\n2\n3'], 'break', 'application/jsonl')])
  const { items, error } = await collect(client.list())
  expect(items).toEqual([1, 2])
  expect(error).toMatchObject({
    code: 'network_error',
    message: 'GET /lines: terminated (tools.example)',
  })
})

test('an error response is the error of the call, after retries', async () => {
  const { client, requests } = createStreams([fail(503), fail(404)])
  expect((await collect(client.watch())).error).toMatchObject({ status: 404, code: 'code_404' })
  expect(requests).toHaveLength(2)
})

test('leaving the loop closes the connection, also while an item is awaited', async () => {
  let cancelled = 0
  const respond = sendParts(
    ['data: 1\n\ndata: 2\n\n'],
    'stay',
    'text/event-stream',
    () => cancelled++,
  )
  const { client } = createStreams([respond])
  for await (const item of client.watchData()) {
    expect(item).toBe(1)
    break
  }
  expect(cancelled).toBe(1)

  const items = client.watchData()
  await items.next()
  await items.next()
  const next = items.next()
  expect(await items.return()).toEqual({ done: true, value: undefined })
  expect(await next).toEqual({ done: true, value: undefined })
  await expect.poll(() => cancelled).toBe(2)
})

test('a signal cancels a stream with its reason, and no request is made without a loop', async () => {
  const controller = new AbortController()
  const { client, requests } = createStreams([sendParts(['id: 1\ndata: 1\n\n'], 'stay')])
  const items = client.watchData({ signal: controller.signal })
  await delay(5)
  expect(requests).toHaveLength(0)

  await items.next()
  const next = items.next()
  controller.abort(new Error('The user went away.'))
  await expect(next).rejects.toThrow('The user went away.')
  const late = client.watchData({ signal: controller.signal })
  await expect(late.next()).rejects.toThrow('The user went away.')
  expect(requests).toHaveLength(1)
})

test('a signal that outlives its streams keeps nothing of them', async () => {
  const { signal } = new AbortController()
  const one = sendParts(['id: 1\ndata: 1\n\n'])
  const { client } = createStreams([one, one, sendParts(['data: {\n\n'])])
  await collect(client.watchData({ signal }))
  for await (const item of client.watchData({ signal })) {
    expect(item).toBe(1)
    break
  }
  expect((await collect(client.watchData({ signal }))).error).toBeDefined()
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('a stream has no total timeout, and ends when nothing arrives for too long', async () => {
  const slow = async () => {
    const response = await sendParts(['data: 1\n\n'], 'stay')(new Request('http://a.example'), 1)
    return response
  }
  const { client } = createStreams([slow], { timeout: 20, totalTimeout: 30, maxRetries: 0 })
  const started = performance.now()
  const { items, error } = await collect(client.watchData({ idleTimeout: 80 }))
  expect(items).toEqual([1])
  expect(error).toMatchObject({ code: 'timeout' })
  expect(performance.now() - started).toBeGreaterThan(75)
})

test('the response is available before the items', async () => {
  const { client, requests } = createStreams([sendParts(['data: 1\n\n'])])
  const { data, response } = await client.watchData().withResponse()
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  expect((await collect(data)).items).toEqual([1])
  expect(requests).toHaveLength(1)
})

test('a stream is iterated once: a second loop throws an error that says so', async () => {
  const { client, requests } = createStreams([sendParts(['data: 1\n\n', 'data: 2\n\n'])])
  const whole = client.watchData()
  expect((await collect(whole)).items).toEqual([1, 2])
  const message = 'A stream is iterated once: repeat the call.'
  expect(await collect(whole)).toMatchObject({ items: [], error: { name: 'TypeError', message } })

  const left = client.watchData()
  await left.next()
  // The rest of a stream whose first item was read is still there.
  expect((await collect(left)).items).toEqual([2])
  expect((await collect(left)).error).toMatchObject({ message })
  expect(requests).toHaveLength(2)
})
