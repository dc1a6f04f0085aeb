import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { type CompileSchema, createCompiler } from '../../../server/contract/ajv.ts'
import { createItemsReader } from '../../../server/contract/body-items.ts'
import type { CallableHandler } from '../../../server/contract/handler.ts'
import { readBundled } from '../../../server/description/description-reader.ts'
import { startServiceOf } from '../../helpers/service.ts'
import { createSmallApi } from '../validation/support/small-api.ts'
import { startWithBody, withBody, withWrappedErrors } from './support/body-service.ts'

const item = {
  type: 'object',
  required: ['n'],
  properties: { n: { type: 'integer' }, note: { type: 'string', default: 'none' } },
  additionalProperties: false,
}

/** Reads the items of a body one by one. */
function createReader() {
  const seen: unknown[] = []
  const read: CallableHandler = async ({ body }, { respond }) => {
    for await (const each of body as AsyncIterable<unknown>) {
      seen.push(each)
    }
    return respond(200, { count: seen.length })
  }
  return { seen, read }
}

/** Sends a body of lines, or of a JSON text sequence. */
async function sendItems(type: string, body: BodyInit, others: object = {}) {
  const { seen, read } = createReader()
  const { send, logged } = await startWithBody({ [type]: { itemSchema: item } }, { handler: read })
  const headers = { 'Content-Type': type, ...others }
  const response = await send('/v1/body', { method: 'POST', body, headers, duplex: 'half' })
  expect(logged).toEqual([])
  return { status: response.status, body: await response.json(), seen }
}

const values = (...numbers: number[]) => numbers.map((n) => ({ n, note: 'none' }))

test.for([
  ['lines', 'application/jsonl', '{"n":1}\n\n  \r\n{"n":2}\r\n{"n":3}', values(1, 2, 3)],
  ['no lines', 'application/x-ndjson', '', []],
  ['a line, and spaces at the end', 'application/jsonl', '{"n":1}\n \r', values(1)],
  ['x-ndjson', 'application/x-ndjson', '{"n":1}\n', values(1)],
  ['ndjson', 'application/ndjson', '{"n":1}\n', values(1)],
  ['jsonlines', 'application/jsonlines', '{"n":1}\n', values(1)],
  ['x-jsonlines', 'application/x-jsonlines', '{"n":1}\n', values(1)],
  ['a sequence', 'application/json-seq', '\u001e{"n":1}\n\u001e{\n"n":2}\n', values(1, 2)],
] as const)('a handler iterates over the values of %s', async ([, type, body, expected]) => {
  const { status, seen } = await sendItems(type, body)
  expect(status).toBe(200)
  expect(seen).toEqual(expected)
})

test('items arrive in parts of any size, and compressed', async () => {
  const bytes = new TextEncoder().encode('{"n":1,"note":"é"}\n{"n":2}\n')
  const singles = Array.from(bytes, (byte) => Uint8Array.of(byte))
  const expected = [{ n: 1, note: 'é' }, ...values(2)]
  const inParts = await sendItems(
    'application/jsonl',
    Readable.toWeb(Readable.from(singles)) as BodyInit,
  )
  expect(inParts.seen).toEqual(expected)
  const zipped = new Uint8Array(gzipSync(bytes))
  const coded = await sendItems('application/jsonl', zipped, { 'Content-Encoding': 'gzip' })
  expect(coded.seen).toEqual(expected)
})

test.for([
  ['a wrong type', '{"n":1}\n{"n":"2"}\n{"n":3}\n', '/body/1/n', 'must be an integer'],
  ['a missing field', '\n{"n":1}\n{}', '/body/1/n', 'is missing'],
  ['an unknown field', '{"n":1}\n{"n":2,"x":1}', '/body/1/x', 'is not a known field'],
  ['no JSON', '{"n":1}\n{"n":', '/body/1', expect.stringMatching(/^byte \d+: /)],
  ['a name twice', '{"n":1}\n{"n":2,"n":3}\n', '/body/1', expect.stringContaining('twice')],
  ['a long line', `{"n":1}\n${' '.repeat(1_000_001)}`, '/body/1', expect.stringContaining('bytes')],
] as const)(
  'an invalid item, with %s, is a 400 after those before it',
  async ([, body, path, message]) => {
    const { seen, read } = createReader()
    const content = { 'application/jsonl': { itemSchema: item } }
    const service = await startWithBody(content, { handler: read, maxBytes: 2_000_000 })
    const headers = { 'Content-Type': 'application/jsonl' }
    const response = await service.send('/v1/body', { method: 'POST', body, headers })
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { details: [{ path, message }] },
    ])
    expect(seen).toEqual(values(1))
    expect(service.logged).toEqual([])
  },
)

test.for<readonly [name: string, media: object]>([
  ['a schema that is a list', { schema: { type: 'array', items: item } }],
  ['a schema that is no list', { schema: item }],
  ['x-item-schema', { 'x-item-schema': item }],
])('each item of a body is validated by %s', async ([, media]) => {
  const { seen, read } = createReader()
  const { send } = await startWithBody({ 'application/jsonl': media }, { handler: read })
  const headers = { 'Content-Type': 'application/jsonl' }
  const response = await send('/v1/body', { method: 'POST', body: '{"n":1}\n{"n":"2"}\n', headers })
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { details: [{ path: '/body/1/n' }] },
  ])
  expect(seen).toEqual(values(1))
})

test('lines of a range without a schema are bytes, and each item of a range of sequences is validated', async () => {
  const { seen, read } = createReader()
  const { send } = await startServiceOf(
    createSmallApi(
      [
        withBody({ '*/*': {} }),
        {
          ...withBody({ 'application/*+json-seq': { itemSchema: item } }, { handler: read }),
          path: '/sequence',
        },
      ],
      {},
    ),
  )
  const post = (path: string, type: string, body: string) =>
    send(path, { method: 'POST', body, headers: { 'Content-Type': type } })

  for (const type of ['application/x-ndjson', 'application/vnd.a+json-seq', 'application/json']) {
    const response = await post('/v1/body', type, '{"n":\n')
    expect.soft(await response.json()).toEqual({ mediaType: type, body: { stream: '{"n":\n' } })
  }
  const type = 'application/vnd.a+json-seq'
  expect((await post('/v1/sequence', type, '\u001e{"n":1}\n')).status).toBe(200)
  expect((await post('/v1/sequence', type, '\u001e{"n":"1"}\n')).status).toBe(400)
  expect(seen).toEqual(values(1))
})

test('one schema is compiled for the items of all types of a range', async () => {
  const range = 'application/*+json-seq'
  const { description, operations } = createSmallApi(
    [withBody({ [range]: { itemSchema: item } })],
    {},
  )
  const model = readBundled(description)
  const compile = createCompiler(model.documents, 'request')
  let compiled = 0
  const compileCounted: CompileSchema = (schema) => {
    compiled++
    return compile(schema)
  }
  const [operation] = Object.values(operations)
  const readItems = operation && createItemsReader(model, operation, compileCounted, new Set())
  for (const name of ['a', 'b', 'c']) {
    const mediaType = `application/${name}+json-seq`
    const body = Readable.from([Buffer.from('\u001e{"n":1}\n')])
    const items = readItems?.(body, { mediaType, contentKind: 'lines' })
    expect(await Array.fromAsync(items as AsyncIterable<unknown>)).toEqual(values(1))
  }
  expect(compiled).toBe(1)
})

test('a handler that wraps the error of an invalid item still responds with 400', async () => {
  const { read } = createReader()
  const content = { 'application/jsonl': { itemSchema: item } }
  const { send, logged } = await startWithBody(content, { handler: withWrappedErrors(read) })
  const headers = { 'Content-Type': 'application/jsonl' }
  const response = await send('/v1/body', { method: 'POST', body: '{}', headers })
  expect(response.status).toBe(400)
  expect(logged).toEqual([])
})
