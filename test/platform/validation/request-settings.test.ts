import { expect, test } from 'vitest'
import type { RequestSettings } from '../../../server/description/settings.ts'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import { startFixtureWith, tool, tools } from '../../helpers/fixture-service.ts'
import { expectMetric } from '../../helpers/metrics.ts'
import { startServiceOf } from '../../helpers/service.ts'
import type { UncheckedJson } from '../../helpers/unchecked-json.ts'
import { echo } from './support/echo-service.ts'
import { json } from './support/kinds-service.ts'
import { createSmallApi, type SmallOperation } from './support/small-api.ts'

const integer = { type: 'integer' }
const limit = { name: 'limit', in: 'query', schema: integer }
const filter = {
  ...{ name: 'filter', in: 'query', style: 'deepObject', explode: true },
  schema: { type: 'object', properties: { from: integer } },
}
const tags = { name: 'tags', in: 'query', schema: { type: 'array', items: { type: 'string' } } }

const list: SmallOperation = {
  method: 'get',
  path: '/Items',
  parameters: [limit, filter, tags],
  response: json(true),
  handler: echo,
}
const item: SmallOperation = {
  method: 'get',
  path: '/items/{id}',
  parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
  response: json(true),
  handler: echo,
}
const person = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } },
}
const create: SmallOperation = {
  method: 'post',
  path: '/people',
  requestBody: { required: true, content: { 'application/json': { schema: person } } },
  response: json(true),
  handler: ({ body }) => ({ status: 200, body }),
}

/** Starts a service with settings of requests. */
async function startWith(requests: RequestSettings) {
  const api = createSmallApi([list, item, create], {}, '/v1', '3.1.0', { requests })
  const service = await startServiceOf(api, { OPS_PORT: '0' })
  return {
    ...service,
    async get(path: string, headers: Readonly<Record<string, string>> = {}) {
      const response = await service.send(path, { headers })
      return [response.status, await response.json()] as const
    },
  }
}

const rejectedAt = (path: string) => [
  400,
  expect.objectContaining({ details: [expect.objectContaining({ path })] }),
]
const queried = (query: object) => [200, expect.objectContaining({ query })]

test('an unknown query parameter is 400, a repeated one, too', async () => {
  const { get } = await startWith({})
  expect(await get('/v1/Items?a=1')).toEqual(rejectedAt('/query/a'))
  expect(await get('/v1/Items?limit=1&limit=2')).toEqual(rejectedAt('/query/limit'))
})

test('unknownQueryParameters: ignore drops unknown query parameters, and counts them in a metric', async () => {
  const service = await startWith({ unknownQueryParameters: 'ignore' })
  const { get } = service
  const metric = 'ignored_parameters_total{operation="operation0"}'
  await expectMetric(service, metric, 0)
  expect(await get('/v1/Items?a=1&limit=3&utm_source=%FF&%FF=1')).toEqual(queried({ limit: 3 }))
  expect(await get('/v1/Items?filter[from]=1&other[to]=2')).toEqual(
    queried({ filter: { from: 1 } }),
  )
  await expectMetric(service, metric, 4)
  expect(await get('/v1/Items?a=1&limit=x')).toEqual(rejectedAt('/query/limit'))
})

test.for([
  ['first', 1, 'filter[from]=1&filter[from][at]=2'],
  ['last', 3, 'filter[from][at]=2&filter[from]=1'],
] as const)('repeatedParameters: %s reads one of the values', async ([which, value, filters]) => {
  const { get } = await startWith({ repeatedParameters: which })
  expect(await get('/v1/Items?limit=1&limit=2&limit=3')).toEqual(queried({ limit: value }))
  expect(await get('/v1/Items?tags=a&tags=b')).toEqual(queried({ tags: ['a', 'b'] }))
  expect(await get(`/v1/Items?${filters}`)).toEqual(queried({ filter: { from: 1 } }))
})

test('paths: lenient ignores the case of a path and a slash at its end', async () => {
  const exact = await startWith({})
  for (const path of ['/v1/items', '/v1/Items/', '/V1/Items', '/v1/items/A/']) {
    expect((await exact.get(path))[0], path).toBe(404)
  }

  // The check of responses looks paths up by their exact form.
  const { origin, apiKey } = await startWith({ paths: 'lenient' })
  const headers = { Authorization: `Bearer ${apiKey}` }
  const send = (path: string, method = 'GET') => fetch(origin + path, { method, headers })
  for (const path of ['/v1/Items', '/v1/items', '/v1/Items/', '/V1/ITEMS/']) {
    expect((await send(path)).status, path).toBe(200)
  }
  for (const path of ['/v1/items/A%2Fb', '/v1/ITEMS/A%2Fb/']) {
    expect(await (await send(path)).json(), path).toMatchObject({ path: { id: 'A/b' } })
  }
  expect((await send('/v1/items/', 'DELETE')).status).toBe(405)
  expect((await send('/v1/items//')).status).toBe(404)
  expect((await send('/DOCS')).status).toBe(404)
})

test('accept: ignore sends JSON to clients whose Accept header rules it out', async () => {
  const headers = { Accept: 'text/html' }
  expect((await (await startWith({})).get('/v1/Items', headers))[0]).toBe(406)
  expect((await (await startWith({ accept: 'ignore' })).get('/v1/Items', headers))[0]).toBe(200)
})

test('readOnlyMembers: reject names readOnly members of a body', async () => {
  const dropping = await startWith({})
  const sent = { id: 1, name: 'a' }
  expect(await (await dropping.send('/v1/people', { json: sent })).json()).toEqual({ name: 'a' })

  const { send } = await startWith({ readOnlyMembers: 'reject' })
  const rejected = await send('/v1/people', { json: sent })
  const details = [{ path: '/body/id', message: 'is for responses only' }]
  expect(await rejected.json()).toMatchObject({ status: 400, details })
  expect((await send('/v1/people', { json: { name: 'a' } })).status).toBe(200)
})

test('maxBytes limits bodies without x-max-bytes, which are 1,000,000 bytes at most otherwise', async () => {
  const named = (length: number) => ({ name: 'a'.repeat(length) })
  const usual = await startWith({})
  expect((await usual.send('/v1/people', { json: named(999_000) })).status).toBe(200)
  expect((await usual.send('/v1/people', { json: named(1_000_000) })).status).toBe(413)

  const { send } = await startWith({ maxBytes: 100 })
  expect((await send('/v1/people', { json: named(80) })).status).toBe(200)
  expect((await send('/v1/people', { json: named(100) })).status).toBe(413)
})

const entry = {
  type: 'object',
  properties: {
    id: { type: 'integer', format: 'int64' },
    amounts: {
      type: 'array',
      items: { anyOf: [{ type: 'string' }, { $ref: '#/components/schemas/Amount' }] },
    },
    count: { type: 'integer' },
    share: { type: 'number' },
  },
}
const schemas = { Amount: { allOf: [{ type: 'integer', format: 'uint64' }], minimum: 0 } }

test('largeIntegers: accept takes integers of 64 bits, whose exact texts handlers get', async () => {
  const read: SmallOperation = {
    ...{ method: 'post', path: '/entries', response: json(true) },
    requestBody: { content: { 'application/json': { schema: entry } } },
    handler: (_, { exactIntegers }) => {
      return { status: 200, body: Object.fromEntries(exactIntegers ?? []) }
    },
  }
  const start = (requests: RequestSettings) =>
    startServiceOf(createSmallApi([read], schemas, '/v1', '3.1.0', { requests }))
  const post = async ({ send }: Awaited<ReturnType<typeof start>>, text: string) => {
    const response = await send('/v1/entries', { json: text })
    return [response.status, await response.json()] as const
  }

  const exact = await start({})
  expect((await post(exact, '{"id":9007199254740993}'))[0]).toBe(400)

  const service = await start({ largeIntegers: 'accept' })
  const accepted = '{"id":-9223372036854775808,"amounts":["1",18446744073709551615,2],"share":0.1}'
  const texts = { '/body/id': '-9223372036854775808', '/body/amounts/1': '18446744073709551615' }
  expect(await post(service, accepted)).toEqual([200, texts])
  // Exact in double precision, too.
  expect(await post(service, '{"id":9007199254740992}')).toEqual([
    200,
    { '/body/id': '9007199254740992' },
  ])
  expect(await post(service, '{"id":-0,"count":1e3}')).toEqual([200, {}])
  for (const [text, path] of [
    ['{"id":9223372036854775808}', '/body/id'],
    ['{"count":9007199254740993}', '/body/count'],
    ['{"amounts":[1,18446744073709551616]}', '/body/amounts/1'],
    ['{"share":1e999}', '/body'],
    ['{"id":9007199254740993.5}', '/body'],
    ['9007199254740993', '/body'],
  ] as const) {
    expect(await post(service, text), text).toEqual(rejectedAt(path))
  }
})

const int64 = { type: 'integer', format: 'int64' }
const uint64 = { type: 'integer', format: 'uint64' }
const range = { type: 'object', properties: { from: int64, count: { type: 'integer' } } }
const largest = '9223372036854775807'
const beyond = '9007199254740993'
const large = { 'application/json': { schema: range } }
const withLargeIntegers = [
  { name: 'id', in: 'path', required: true, schema: int64 },
  { name: 'ids', in: 'query', explode: false, schema: { type: 'array', items: uint64 } },
  { name: 'range', in: 'query', style: 'deepObject', explode: true, schema: range },
  { name: 'either', in: 'query', schema: { anyOf: [int64, { type: 'boolean' }] } },
  { name: 'some', in: 'query', schema: { anyOf: [int64, { type: 'array', items: uint64 }] } },
  { name: 'text', in: 'query', schema: { type: ['string', 'integer'] } },
  { name: 'count', in: 'query', schema: { type: 'integer' } },
  { name: 'filter', in: 'query', content: large },
  { name: 'X-Id', in: 'header', schema: int64 },
  { name: 'id', in: 'cookie', schema: int64 },
]

test('largeIntegers: accept takes integers of 64 bits in parameters of every location', async () => {
  const read: SmallOperation = {
    ...{
      method: 'get',
      path: '/entries/{id}',
      response: json(true),
      parameters: withLargeIntegers,
    },
    handler: ({ query }, { exactIntegers }) => {
      return { status: 200, body: { exact: Object.fromEntries(exactIntegers ?? []), query } }
    },
  }
  const start = (requests: RequestSettings) =>
    startServiceOf(createSmallApi([read], {}, '/v1', '3.1.0', { requests }))
  const get = async (
    { send }: Awaited<ReturnType<typeof start>>,
    id: string,
    query = '',
    headers = {},
  ) => {
    const response = await send(`/v1/entries/${id}?${query}`, { headers })
    const body: UncheckedJson = await response.json()
    return [response.status, body] as const
  }

  const exact = await start({})
  expect(await get(exact, beyond)).toEqual(rejectedAt('/path/id'))

  const service = await start({ largeIntegers: 'accept' })
  const query = `ids=1,18446744073709551615&range[from]=-${beyond}&either=${largest}&text=${beyond}`
  const headers = { 'X-Id': beyond, Cookie: `id=${largest}` }
  const [status, body] = await get(service, largest, query, headers)
  expect([status, body]).toEqual([200, expect.objectContaining({ exact: expect.anything() })])
  expect(body.exact).toEqual({
    '/path/id': largest,
    '/query/ids/1': '18446744073709551615',
    '/query/range/from': `-${beyond}`,
    '/query/either': largest,
    '/headers/x-id': beyond,
    '/cookies/id': largest,
  })
  expect(body.query).toMatchObject({ ids: [1, Number('18446744073709551615')], text: beyond })
  // Exact in double precision, and not.
  for (const text of ['9007199254740992', beyond]) {
    const [, ofOne] = await get(service, '7', `some=${text}`)
    expect(ofOne.exact).toEqual({ '/query/some': text })
    const [, ofList] = await get(service, '7', `some=1&some=${text}`)
    expect(ofList.exact).toEqual({ '/query/some/1': text })
  }
  const filter = `filter=${encodeURIComponent(`{"from":${beyond},"count":1}`)}`
  const [, ofJson] = await get(service, '7', filter)
  expect(ofJson.exact).toEqual({ '/query/filter/from': beyond })

  for (const [id, sent, path] of [
    ['9223372036854775808', '', '/path/id'],
    ['7', `ids=${beyond},-${beyond}`, '/query/ids/1'],
    ['7', `count=${beyond}`, '/query/count'],
    ['7', `range[count]=${beyond}`, '/query/range/count'],
    ['7', `filter=${encodeURIComponent(`{"count":${beyond}}`)}`, '/query/filter/count'],
  ] as const) {
    expect(await get(service, id, sent), sent).toEqual(rejectedAt(path))
  }
})

const ledger = {
  type: 'object',
  properties: {
    id: int64,
    ids: { type: 'array', items: uint64 },
    count: { type: 'integer' },
    range,
  },
}
const inForm = 'application/x-www-form-urlencoded'
const inParts = 'multipart/form-data; boundary=b'

/** Returns the parts of a form. */
function toParts(fields: string): string {
  const parts = Array.from(new URLSearchParams(fields), ([name, value]) => {
    const type = name === 'range' ? 'Content-Type: application/json\r\n' : ''
    return `--b\r\nContent-Disposition: form-data; name="${name}"\r\n${type}\r\n${value}\r\n`
  })
  return `${parts.join('')}--b--\r\n`
}

test.for([
  [inForm, (fields: string) => fields],
  [inParts, toParts],
] as const)('largeIntegers: accept takes integers of 64 bits in %s', async ([type, write]) => {
  const read: SmallOperation = {
    ...{ method: 'post', path: '/entries', response: json(true) },
    requestBody: {
      content: { [inForm]: { schema: ledger }, 'multipart/form-data': { schema: ledger } },
    },
    handler: (_, { exactIntegers }) => {
      return { status: 200, body: Object.fromEntries(exactIntegers ?? []) }
    },
  }
  const start = (requests: RequestSettings) =>
    startServiceOf(createSmallApi([read], {}, '/v1', '3.1.0', { requests }))
  const post = async ({ send }: Awaited<ReturnType<typeof start>>, fields: string) => {
    const headers = { 'Content-Type': type }
    const response = await send('/v1/entries', { method: 'POST', headers, body: write(fields) })
    return [response.status, await response.json()] as const
  }

  expect(await post(await start({}), `id=${beyond}`)).toEqual(rejectedAt('/body/id'))

  const service = await start({ largeIntegers: 'accept' })
  expect(await post(service, `id=${largest}&ids=1&ids=${beyond}&count=3`)).toEqual([
    200,
    { '/body/id': largest, '/body/ids/1': beyond },
  ])
  for (const [fields, path] of [
    ['id=9223372036854775808', '/body/id'],
    [`ids=1&ids=-${beyond}`, '/body/ids/1'],
    [`count=${beyond}`, '/body/count'],
  ] as const) {
    expect(await post(service, fields), fields).toEqual(rejectedAt(path))
  }
  if (type === inParts) {
    const object = `range={"from":${beyond}}`
    expect(await post(service, object)).toEqual([200, { '/body/range/from': beyond }])
  }
})

test('a required Idempotency-Key that is missing is 400', async () => {
  const { parameters } = fixtureApi.operations['createTool'] ?? {}
  const header = { ...parameters?.header, 'Idempotency-Key': { required: true, type: 'string' } }
  const { send } = await startFixtureWith({
    edit: ({ components }) =>
      Object.assign(components.parameters.IdempotencyKey, { required: true }),
    operations: { createTool: { parameters: { ...parameters, header } } },
  })
  const missing = await send(tools, { json: tool })
  const details = [{ path: '/headers/idempotency-key', message: 'is missing' }]
  expect(await missing.json()).toMatchObject({ status: 400, details })
  const headers = { 'Idempotency-Key': 'a-key' }
  expect((await send(tools, { json: tool, headers })).status).toBe(201)
})
