import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { respond } from '../../../server/contract/handler-response.ts'
import { heapGrowth } from '../../helpers/heap.ts'
import { startServiceOf } from '../../helpers/service.ts'
import { createSmallApi, type SmallOperation } from '../validation/support/small-api.ts'

const lines = { 'x-item-schema': { type: 'integer' } }

type Content = Readonly<Record<string, object>>

/** Starts a service whose operations, at `/v1/0` and so on, send a body in a media type. */
function start(
  rows: readonly (readonly [Content, type: string, createBody: () => unknown, ...unknown[]])[],
  environment: Readonly<Record<string, string>> = {},
) {
  const operations = rows.map(([content, type, createBody], index): SmallOperation => {
    const handler = () => respond(200, createBody(), { 'Content-Type': type })
    return { method: 'get', path: `/${index}`, response: { content }, handler }
  })
  return startServiceOf(createSmallApi(operations, {}), environment)
}

const any = { '*/*': {} }
const bytesOf = (content: string) => () => Buffer.from(content)
const streamOf = (content: string) => () => Readable.from([Buffer.from(content)])

test('bytes of a range without a schema are sent as they are, whatever their media type is', async () => {
  const json = '{"a":1}'
  const events = 'data: 1\n\n'
  const rows: readonly (readonly [Content, string, () => unknown, string])[] = [
    [any, 'application/json', streamOf(json), json],
    [any, 'application/json', bytesOf(json), json],
    [any, 'application/json', () => ({ a: 1 }), json],
    [any, 'application/vnd.a+json', streamOf(json), json],
    [{ 'application/*': {} }, 'application/json', streamOf(json), json],
    [any, 'application/x-ndjson', streamOf('1\n2\n'), '1\n2\n'],
    [any, 'application/x-ndjson', bytesOf('1\n2\n'), '1\n2\n'],
    [any, 'application/json-seq', () => '\u001e1\n', '\u001e1\n'],
    [any, 'text/event-stream', streamOf(events), events],
    [{ 'text/*': {} }, 'text/json', () => '[1]', '[1]'],
    [{ 'text/*': {} }, 'text/json', () => Readable.from(['[1', ']']), '[1]'],
    [{ 'text/*': {} }, 'text/event-stream', () => events, events],
    // A type of its own is not content of the range.
    [{ ...any, 'application/x-ndjson': lines }, 'application/x-ndjson', numbers, '1\n2\n'],
  ]
  const { send, logged } = await start(rows)
  for (const [index, [content, type, , received]] of rows.entries()) {
    const response = await send(`/v1/${index}`)
    const what = `${Object.keys(content)} ${type} ${index}`
    expect.soft([response.status, await response.text()], what).toEqual([200, received])
    expect.soft(response.headers.get('content-type'), what).toContain(type)
  }
  expect(logged).toEqual([])
})

async function* numbers() {
  yield 1
  yield 2
}

test('a stream in place of a JSON value is a 500, and its source ends', async () => {
  const sources: Readable[] = []
  const createBody = () => {
    const source = streamOf('{}')()
    sources.push(source)
    return source
  }
  const json = { 'application/json': {} }
  const { send, logged } = await start([[json, 'application/json', createBody]])
  expect((await send('/v1/0')).status).toBe(500)
  await expect.poll(() => sources.map(({ destroyed }) => destroyed)).toEqual([true])
  const violations = ['/body must be a JSON value, not an AsyncIterable']
  expect(logged).toMatchObject([{ msg: 'response validation failed', violations }])
})

test('media types that clients make up within a range leave the heap where it was', async () => {
  const content = { 'image/*': {}, 'audio/*': {} }
  const handler = () => respond(200, Buffer.from('a'))
  const operation: SmallOperation = { method: 'get', path: '/0', response: { content }, handler }
  const { send } = await startServiceOf(createSmallApi([operation], {}), { LOG_LEVEL: 'warn' })
  const growth = await heapGrowth([100, 500], async (at) => {
    const type = `image/${String(at).padEnd(14_000, 'a')}`
    const response = await send('/v1/0', { headers: { Accept: type } })
    const isSent = response.headers.get('content-type') === type
    expect([response.status, isSent]).toEqual([200, true])
    await response.arrayBuffer()
  })
  expect(growth).toBeLessThan(3)
})
