import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { UncheckedJson } from '../../helpers/unchecked-json.ts'
import { type Content, startWithBody } from './support/body-service.ts'

interface Row {
  readonly what: string
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
  /** The body that the handler gets, or an error with its details. */
  readonly got?: unknown
  readonly status?: number
  readonly details?: readonly (readonly [path: string, message: string])[]
}

/** Sends the rows, each of which is accepted or rejected as it says. */
async function expectRows(content: Content, rows: readonly Row[], options = {}) {
  const { send } = await startWithBody(content, options)
  const [usualType = ''] = Object.keys(content)
  for (const row of rows) {
    const { what, type = usualType, headers, body = '' } = row
    const sent = { ...(type !== '' && { 'Content-Type': type }), ...headers }
    // As bytes: `fetch` gives a text a type of its own.
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
    const response = await send('/v1/body', { method: 'POST', headers: sent, body: bytes })
    const json: UncheckedJson = await response.json()
    expect({ ...json, status: response.status }, what).toMatchObject(expectedOf(row))
  }
}

function expectedOf({ got, details, status = 200 }: Row) {
  if (details !== undefined) {
    return {
      status: 400,
      code: 'invalid_request',
      details: details.map(([path, message]) => ({ path, message })),
    }
  }
  return status === 200 ? { status, body: got } : { status }
}

const bytesOf = (...bytes: number[]) => Uint8Array.from(bytes)

test('a text is decoded as UTF-8, and validated if its schema is one of texts', () => {
  const schema = { type: 'string', maxLength: 5, pattern: '^[^x]*$' }
  return expectRows({ 'text/plain': { schema } }, [
    { what: 'a text', body: 'é', got: 'é' },
    { what: 'an empty text', got: '' },
    { what: 'no text', type: '', details: [['/body', 'is missing']] },
    { what: 'a byte order mark', body: '\ufeffa', got: 'a' },
    { what: 'another case', type: 'Text/Plain; Charset="UTF-8"', body: 'a', got: 'a' },
    { what: 'gzip', headers: { 'Content-Encoding': 'gzip' }, body: gzipSync('ab'), got: 'ab' },
    {
      what: 'br',
      headers: { 'Content-Encoding': 'br' },
      body: new Uint8Array(brotliCompressSync('ab')),
      got: 'ab',
    },
    { what: 'too long', body: 'abcdef', details: [['/body', 'must have at most 5 characters']] },
    { what: 'not UTF-8', body: bytesOf(0xe9), details: [['/body', 'must be UTF-8']] },
    { what: 'another charset', type: 'text/plain; charset=latin1', body: 'a', status: 415 },
    { what: 'another coding', headers: { 'Content-Encoding': 'zstd' }, body: 'a', status: 415 },
    { what: 'another type', type: 'text/csv', body: 'a', status: 415 },
  ])
})

test('XML is a text that no schema is applied to', async () => {
  const schema = { type: 'object', required: ['name'] }
  const rows = [{ what: 'XML', body: '<saw/>', got: '<saw/>' }]
  await expectRows({ 'application/xml': { schema } }, rows)
  await expectRows({ 'application/atom+xml': { schema: { type: 'string', maxLength: 1 } } }, rows)
})

test('a text beyond its limit is 413, also when it is inflated', async () => {
  const content = { 'text/csv': { schema: { type: 'string' } } }
  const rows = [
    { what: 'the most', body: 'a'.repeat(10), got: 'a'.repeat(10) },
    { what: 'more', body: 'a'.repeat(11), status: 413 },
    {
      what: 'inflated',
      headers: { 'Content-Encoding': 'gzip' },
      body: new Uint8Array(gzipSync('a'.repeat(11))),
      status: 413,
    },
  ]
  await expectRows(content, rows, { maxBytes: 10 })
  const most = 'a'.repeat(1_000_000)
  await expectRows(content, [
    { what: 'the usual limit', body: most, got: most },
    { what: 'more', body: `${most}a`, status: 413 },
  ])
})

const person = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 1 },
    age: { type: 'integer', minimum: 0 },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 2 },
    ids: { type: 'array', items: { type: 'integer' } },
    isNew: { type: 'boolean' },
    size: {
      oneOf: [
        { type: 'integer', maximum: 9 },
        { type: 'string', enum: ['large'] },
      ],
    },
    address: { type: 'object', properties: { zip: { type: 'integer' } } },
    any: { type: 'string' },
  },
  additionalProperties: false,
}

test('the fields of a form are read by their types, as parameters of a query are', () => {
  const form = 'application/x-www-form-urlencoded'
  const encoding = {
    ids: { style: 'spaceDelimited', explode: false },
    address: { contentType: 'application/json' },
  }
  return expectRows({ [form]: { schema: person, encoding } }, [
    {
      what: 'every type',
      body: 'name=A+%C3%A9&age=7&tags=a&tags=b%2Cc&ids=1%202&isNew=true&size=5&any=',
      got: { name: 'A é', age: 7, tags: ['a', 'b,c'], ids: [1, 2], isNew: true, size: 5, any: '' },
    },
    {
      what: 'a JSON field',
      body: 'name=a&address=%7B%22zip%22%3A1%7D',
      got: { address: { zip: 1 } },
    },
    { what: 'the other type', body: 'name=a&size=large', got: { size: 'large' } },
    { what: 'an empty item', body: 'name=a&tags=', got: { tags: [''] } },
    { what: 'no item', body: 'name=a&ids=', details: [['/body/ids', 'must not be empty']] },
    {
      what: 'gzip',
      headers: { 'Content-Encoding': 'gzip' },
      body: gzipSync('name=a'),
      got: { name: 'a' },
    },
    { what: 'no field', details: [['/body/name', 'is missing']] },
    { what: 'no body', type: '', details: [['/body', 'is missing']] },
    {
      what: 'a number',
      body: 'name=a&age=7.5',
      details: [['/body/age', 'must be an integer in plain decimal digits']],
    },
    { what: 'too small', body: 'name=a&age=-1', details: [['/body/age', 'must be at least 0']] },
    {
      what: 'an item',
      body: 'name=a&ids=1%20x',
      details: [['/body/ids/1', 'must be an integer in plain decimal digits']],
    },
    {
      what: 'twice',
      body: 'name=a&name=b',
      details: [['/body/name', 'must be given once, not 2 times']],
    },
    {
      what: 'three items',
      body: 'name=a&tags=1&tags=2&tags=3',
      details: [['/body/tags', 'must have at most 2 items']],
    },
    {
      what: 'an unknown field',
      body: 'name=a&b=1',
      details: [['/body/b', 'is not a known field']],
    },
    {
      what: 'an inherited name',
      body: 'name=a&__proto__=1',
      details: [['/body/__proto__', 'is not a known field']],
    },
    {
      what: 'malformed',
      body: 'name=%ff',
      details: [['/body/name', 'must be percent-encoded UTF-8']],
    },
    {
      what: 'no JSON',
      body: 'name=a&address=%7B',
      details: [['/body/address', expect.stringMatching(/^must be JSON; /)]],
    },
    { what: 'a charset', type: `${form}; charset=utf-16`, body: 'name=a', status: 415 },
    {
      what: 'too many',
      body: 'tags=a&'.repeat(1_001),
      details: [['/body', 'must have at most 1000 fields']],
    },
  ])
})

test('an open form has fields that are not declared as texts, each once', () => {
  const schema = { type: 'object', properties: { a: { type: 'integer' } } }
  return expectRows({ 'application/x-www-form-urlencoded': { schema } }, [
    { what: 'others', body: 'a=1&b=2&c=', got: { a: 1, b: '2', c: '' } },
    { what: 'twice', body: 'b=2&b=3', details: [['/body/b', 'must be given once, not 2 times']] },
    { what: 'malformed', body: '%ff=2', details: [['/body/%ff', 'must be percent-encoded UTF-8']] },
  ])
})

test('a field that several parts of a schema describe has the type that the first one gives it', () => {
  const base = { type: 'object', properties: { a: { type: 'integer' } } }
  const schema = { ...base, allOf: [{ properties: { a: { minimum: 1 } } }] }
  return expectRows({ 'application/x-www-form-urlencoded': { schema } }, [
    { what: 'an integer', body: 'a=1', got: { a: 1 } },
    { what: 'too small', body: 'a=0', details: [['/body/a', 'must be at least 1']] },
  ])
})

test('bytes are a stream, whatever their schema and their coding', () => {
  const content = {
    'image/*': { schema: { type: 'string', format: 'binary', maxLength: 1 } },
    'text/event-stream': {},
  }
  return expectRows(content, [
    { what: 'of a range', type: 'image/png', body: 'abc', got: { stream: 'abc' } },
    { what: 'none', type: 'image/png', got: { stream: '' } },
    { what: 'no body', type: '', details: [['/body', 'is missing']] },
    {
      what: 'gzip',
      type: 'image/png',
      headers: { 'Content-Encoding': 'gzip' },
      body: gzipSync('abc'),
      got: { stream: 'abc' },
    },
    {
      what: 'no gzip',
      type: 'image/png',
      headers: { 'Content-Encoding': 'gzip' },
      body: 'abc',
      details: [['/body', 'is not valid gzip']],
    },
    {
      what: 'more than gzip',
      type: 'image/png',
      headers: { 'Content-Encoding': 'gzip' },
      body: Buffer.concat([gzipSync('abc'), Buffer.from('more')]),
      details: [['/body', 'is not valid gzip']],
    },
    {
      what: 'more than br',
      type: 'image/png',
      headers: { 'Content-Encoding': 'br' },
      body: Buffer.concat([brotliCompressSync('abc'), Buffer.from('more')]),
      details: [['/body', 'has more bytes after its br data']],
    },
    {
      what: 'less than gzip',
      type: 'image/png',
      headers: { 'Content-Encoding': 'gzip' },
      body: gzipSync('abc').subarray(0, 20),
      details: [['/body', 'ends before its gzip data is complete']],
    },
    {
      what: 'too many when they are inflated',
      type: 'image/png',
      headers: { 'Content-Encoding': 'gzip' },
      body: gzipSync('a'.repeat(1_000_001)),
      status: 413,
    },
    {
      what: 'events',
      type: 'text/event-stream',
      body: 'data: 1\n\n',
      got: { stream: 'data: 1\n\n' },
    },
    { what: 'another type', type: 'audio/png', body: 'a', status: 415 },
  ])
})

test('an operation with several media types gets each as it is', async () => {
  const content = {
    'application/json': { schema: { type: 'object' } },
    'text/plain': { schema: { type: 'string' } },
    'application/x-www-form-urlencoded': {
      schema: { type: 'object', properties: { a: { type: 'integer' } } },
    },
    '*/*': {},
  }
  const { send } = await startWithBody(content, { isRequired: false })
  const rows = [
    ['application/json', '{"a":1}', { a: 1 }],
    ['text/plain', 'a', 'a'],
    ['application/x-www-form-urlencoded', 'a=1', { a: 1 }],
    ['application/vnd.a+json', '[1]', { stream: '[1]' }],
    ['text/csv', 'a', { stream: 'a' }],
    ['application/pdf', 'a', { stream: 'a' }],
    ['multipart/form-data', 'a', { stream: 'a' }],
  ] as const
  for (const [type, body, got] of rows) {
    const response = await send('/v1/body', {
      method: 'POST',
      body,
      headers: { 'Content-Type': type },
    })
    expect(await response.json(), type).toEqual({ mediaType: type, body: got })
  }
  const none = await send('/v1/body', { method: 'POST' })
  expect(await none.json()).toEqual({ mediaType: null, body: null })
})

test('a body of several ranges is validated by the narrowest one, in any order', async () => {
  const ranges = { '*/*': {}, 'text/*': { schema: { type: 'string', maxLength: 3 } } }
  for (const content of [ranges, Object.fromEntries(Object.entries(ranges).toReversed())]) {
    await expectRows(content, [
      { what: 'a text', type: 'text/csv', body: 'abc', got: 'abc' },
      {
        what: 'a long text',
        type: 'text/csv',
        body: 'abcd',
        details: [['/body', 'must have at most 3 characters']],
      },
      { what: 'bytes', type: 'image/png', body: 'abcd', got: { stream: 'abcd' } },
    ])
  }
})

test('a text is read and validated as a text, whatever its type in a range is', async () => {
  await expectRows({ 'text/*': { schema: { type: 'object' } } }, [
    { what: 'a type of JSON', type: 'text/json', body: '[1]', got: '[1]' },
    { what: 'another text', type: 'text/csv', body: 'a', got: 'a' },
  ])
})

test('a body of another type is 415, and Accept lists every type that is read', async () => {
  const types = ['text/csv', 'multipart/form-data', 'image/*', 'application/json']
  const { send } = await startWithBody(Object.fromEntries(types.map((type) => [type, {}])))
  const headers = { 'Content-Type': 'audio/ogg' }
  const response = await send('/v1/body', { method: 'POST', body: 'a', headers })
  expect([response.status, response.headers.get('accept')]).toEqual([415, types.join(', ')])
  expect(await response.json()).toMatchObject({
    message: `The body must be ${types.join(' or ')}.`,
  })
})
