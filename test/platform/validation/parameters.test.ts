import { expect, test } from 'vitest'
import {
  createRequests,
  startFixtureService,
  startFixtureWith,
  tools,
} from '../../helpers/fixture-service.ts'
import { sendBytes } from '../../helpers/raw.ts'
import { startRecorder } from './recorder.ts'

async function start() {
  const { send, inputs } = await startRecorder()
  return async (path: string, Cookie = '') => {
    const response = await send(`/lending/v2${path}`, { headers: { Cookie } })
    const { details } = Object(await response.json())
    return { status: response.status, input: inputs.pop(), details }
  }
}

const none = { path: {}, query: { limit: 10 }, headers: {}, cookies: {} }
const loan = { path: { member: 'a b/c', number: 7 }, query: {}, headers: {}, cookies: {} }

test('parameters reach the handler decoded, with their types and defaults', async () => {
  const get = await start()
  const rows = [
    ['/tools', none],
    ['/tools?limit=5&kind=saw', { ...none, query: { limit: 5, kind: 'saw' } }],
    ['/tools?limit=007', { ...none, query: { limit: 7 } }],
    ['/tools?tag=a', { ...none, query: { limit: 10, tag: ['a'] } }],
    ['/tools?tag=a&tag=b', { ...none, query: { limit: 10, tag: ['a', 'b'] } }],
    ['/tools?tag=a+b', { ...none, query: { limit: 10, tag: ['a b'] } }],
    ['/tools?tag=a,b', { ...none, query: { limit: 10, tag: ['a,b'] } }],
    ['/tools?ids=3,4', { ...none, query: { limit: 10, ids: [3, 4] } }],
    ['/tools?heavier-than=0.5', { ...none, query: { limit: 10, 'heavier-than': 0.5 } }],
    ['/members/a%20b%2Fc/loans/7.json', loan],
    ['/tools', { ...none, cookies: { shelf: 7 } }, 'other=x; shelf=7; more=y'],
  ] as const
  for (const [path, input, cookie] of rows) {
    expect(await get(path, cookie), path).toEqual({ status: 200, input })
  }
})

test('a wrong parameter is rejected with its place and the reason', async () => {
  const get = await start()
  const rows = [
    ['/tools?a=1', '/query/a', 'is not a parameter of this operation'],
    ['/tools?tag=', '/query/tag', 'must not be empty'],
    ['/tools?limit=1&limit=2', '/query/limit', 'must be given once, not 2 times'],
    ['/tools?ids=1,x', '/query/ids/1', 'must be an integer'],
    ['/members/ann/loans/x.json', '/path/number', 'must be an integer in plain decimal digits'],
    [
      `/members/ann/loans/${'9'.repeat(400)}.json`,
      '/path/number',
      'must not be beyond double precision',
    ],
    ['/tools', '/cookies/shelf', 'must be given once, not 2 times', 'shelf=7; shelf=8'],
  ] as const
  for (const [target, path, message, cookie] of rows) {
    const { status, details } = await get(target, cookie)
    expect([status, details], target).toEqual([400, [{ path, message }]])
  }
})

test('a header that is sent twice is rejected, even with one value', async () => {
  const service = await startFixtureService()
  const trace = 'X-Trace: 6f1c1c0e-8f0b-4f2e-9f0a-3f1f6c6f8d55\r\n'
  const request = createRequests(service).get(tools, `${trace}${trace}Connection: close\r\n`)
  const { status, body } = await sendBytes(service.origin, request)
  const details = [{ path: '/headers/x-trace', message: 'must be given once, not 2 times' }]
  expect([status, JSON.parse(body)]).toMatchObject([400, { details }])
})

interface OneParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly schema: { readonly type: string; readonly [keyword: string]: unknown }
}

/** Starts a service whose `getLoan` has another path and parameters; it responds with the values. */
async function startWith(path: string, ...parameters: readonly OneParameter[]) {
  const all = parameters.map((one) => ({ ...one, required: one.in === 'path' }))
  const rows: Record<string, Record<string, object>> = {
    path: {},
    query: {},
    header: {},
    cookie: {},
  }
  for (const { name, in: location, required, schema } of all) {
    const { type, default: initial } = schema
    Object.assign(rows[location] ?? {}, { [name]: { required, type, default: initial } })
  }
  const { send } = await startFixtureWith({
    handlers: { getLoan: (body: object) => ({ status: 200, body }) },
    operations: { getLoan: { path, parameters: rows } },
    edit(description) {
      const { paths } = description
      const { get } = paths['/members/{member}/loans/{number}.json']
      get.parameters = all
      get.responses[200].content['application/json'].schema = {}
      get.responses[404] = { $ref: '#/paths/~1tools~1%7BtoolId%7D/get/responses/404' }
      description.paths = { [path]: { get }, ...paths }
    },
  })
  return async (target: string, headers: Record<string, string> = {}) => {
    const response = await send(`/lending/v2${target}`, { headers })
    return [response.status, await response.json()]
  }
}

test('of two paths that match, the one with more text is taken, with any characters', async () => {
  const schema = { type: 'string' }
  const get = await startWith("/tools/{name}:größe('1')", { name: 'name', in: 'path', schema })
  expect(await get("/tools/a,b:größe('1')")).toMatchObject([200, { path: { name: 'a,b' } }])
})

test('beside an array, other parameters keep their defaults', async () => {
  const integer = { type: 'integer' }
  const get = await startWith(
    '/flags',
    { name: 'ids', in: 'query', schema: { type: 'array', items: integer } },
    { name: 'level', in: 'query', schema: { ...integer, default: 2 } },
  )
  const query = { ids: [1, 2], level: 2 }
  expect(await get('/flags?ids=1&ids=2')).toEqual([200, expect.objectContaining({ query })])
})

test('a path parameter may have any name', async () => {
  const schema = { type: 'string', maxLength: 2 }
  const get = await startWith('/members/{1st-name}x', { name: '1st-name', in: 'path', schema })
  expect(await get('/members/abx')).toMatchObject([200, { path: { '1st-name': 'ab' } }])
  const details = [{ path: '/path/1st-name', message: expect.any(String) }]
  expect(await get('/members/abcx')).toMatchObject([400, { details }])
})

test('the name of a query parameter may have brackets', async () => {
  const schema = { type: 'array', items: { type: 'integer' } }
  const get = await startWith('/flags', { name: 'ids[]', in: 'query', schema })
  expect(await get('/flags?ids[]=1&ids[]=2')).toMatchObject([200, { query: { 'ids[]': [1, 2] } }])
  const details = [{ path: '/query/ids[]/0', message: 'must be an integer' }]
  expect(await get('/flags?ids[]=a')).toMatchObject([400, { details }])
})

test('parameters and schemas may be references into other paths', async () => {
  const { send } = await startFixtureWith({
    edit({ paths }) {
      const { get } = paths['/members/{member}/loans/{number}.json']
      const at = '#/paths/~1tools/x-parameters'
      get.parameters = [0, 1].map((index) => ({ $ref: `${at}/${index}` }))
      paths['/tools']['x-parameters'] = [
        { name: 'member', in: 'path', required: true, schema: { type: 'string', maxLength: 3 } },
        { name: 'number', in: 'path', required: true, schema: { $ref: `${at}/2` } },
        { type: 'integer', maximum: 5 },
      ]
    },
  })
  const statusOf = async (target: string) => (await send(`/lending/v2${target}`)).status
  expect(await statusOf('/members/ann/loans/6.json')).toBe(400)
  expect(await statusOf('/members/anna/loans/5.json')).toBe(400)
})

test('a parameter that is not sent is not taken from what objects inherit', async () => {
  const schema = { type: 'string' }
  const get = await startWith('/flags', { name: 'constructor', in: 'query', schema })
  expect(await get('/flags')).toEqual([200, expect.objectContaining({ query: {} })])
  const query = { constructor: 'a' }
  expect(await get('/flags?constructor=a')).toMatchObject([200, { query }])
})
