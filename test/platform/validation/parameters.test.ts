import { expect, test } from 'vitest'
import { compile } from '../../../scripts/pipeline/artifacts.ts'
import { readOperations } from '../../../scripts/pipeline/operations.ts'
import { readBundled } from '../../../server/description/description-reader.ts'
import type { JsonObject } from '../../../server/description/json.ts'
import {
  createRequests,
  startFixtureService,
  startFixtureWith,
  tools,
} from '../../helpers/fixture-service.ts'
import { sendBytes } from '../../helpers/raw.ts'
import { startServiceOf } from '../../helpers/service.ts'
import { append, editText, set } from '../../helpers/spec-edit.ts'
import { readFixture, writeSpec } from '../pipeline/support/workspace.ts'
import { startRecorder } from './recorder.ts'
import { createSmallApi, type SmallOperation } from './support/small-api.ts'

async function start() {
  const { send, inputs } = await startRecorder()
  return async (path: string, Cookie = '') => {
    const response = await send(`/lending/v2${path}`, { headers: { Cookie } })
    const { details }: { readonly details?: unknown } = await response.json()
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

test('each wrong parameter is named with its place and the reason', async () => {
  const get = await start()
  const several = {
    '/query/limit': 'must be at most 50',
    '/query/cursor': 'must match the pattern that the contract gives',
    '/query/kind': 'must be one of drill, saw',
  }
  const number = '/path/number'
  const rows: readonly (readonly [target: string, violations: object, cookie?: string])[] = [
    ['/tools?a=1', { '/query/a': 'is not a parameter of this operation' }],
    ['/tools?tag=', { '/query/tag': 'must not be empty' }],
    ['/tools?limit=1&limit=2', { '/query/limit': 'must be given once, not 2 times' }],
    ['/tools?ids=1,x', { '/query/ids/1': 'must be an integer in plain decimal digits' }],
    [
      '/tools?ids=1,,2&tag=a&tag=',
      { '/query/ids/1': 'must not be empty', '/query/tag/1': 'must not be empty' },
    ],
    ['/tools?ids=1,%ff', { '/query/ids': 'must be percent-encoded UTF-8' }],
    ['/tools?limit=51&kind=axe&cursor=%20', several],
    ['/members/ann/loans/x.json', { [number]: 'must be an integer in plain decimal digits' }],
    [
      `/members/ann/loans/${'9'.repeat(400)}.json`,
      { [number]: 'must not be beyond double precision' },
    ],
    ['/tools', { '/cookies/shelf': 'must be given once, not 2 times' }, 'shelf=7; shelf=8'],
  ]
  for (const [target, violations, cookie] of rows) {
    const { status, details } = await get(target, cookie)
    const expected = Object.entries(violations).map(([path, message]) => ({ path, message }))
    expect([status, details], target).toEqual([400, expected])
  }
})

test('a required parameter must be sent, wherever it is', async () => {
  const { ask } = await startFixtureWith({
    edit({ components: { parameters } }) {
      for (const name of ['Kind', 'Trace', 'Shelf']) {
        parameters[name].required = true
      }
    },
  })
  const missing = ['/query/kind', '/headers/x-trace', '/cookies/shelf']
  const details = missing.map((path) => ({ path, message: 'is missing' }))
  expect(await ask(tools)).toMatchObject({ status: 400, details })
})

test('a header that is sent twice is rejected, even with one value', async () => {
  const service = await startFixtureService()
  const trace = 'X-Trace: 6f1c1c0e-8f0b-4f2e-9f0a-3f1f6c6f8d55\r\n'
  const request = createRequests(service).get(tools, `${trace}${trace}Connection: close\r\n`)
  const { status, body } = await sendBytes(service.origin, request)
  const details = [{ path: '/headers/x-trace', message: 'must be given once, not 2 times' }]
  expect([status, JSON.parse(body)]).toMatchObject([400, { details }])
})

test('parameters with unusual names, paths, defaults and references are read and validated', async () => {
  const path = "/tools/{1st-name}:größe('1')"
  const [string, integer] = [{ type: 'string' }, { type: 'integer' }]
  const list = { type: 'array', items: integer }
  const level = { ...integer, default: 2 }
  const query = {
    level,
    'ids[]': { type: 'array', items: { type: 'integer' } },
    constructor: string,
  }
  const parameters = { path: { '1st-name': string }, query, header: {}, cookie: {} }
  const { send } = await startFixtureWith({
    handlers: { getLoan: (body: object) => ({ status: 200, body }) },
    operations: { getLoan: { path, parameters } },
    edit(description) {
      const { '/members/{member}/loans/{number}.json': loan, ...paths } = description.paths
      loan.get.responses[200].content['application/json'].schema = {}
      const at = '#/paths/~1tools/x-parts'
      const parts = '#/components/schemas/Parts/properties'
      const schema = { $ref: `${parts}/name` }
      paths['/tools']['x-parts'] = [
        { name: '1st-name', in: 'path', required: true, schema },
        { ...string, allOf: [{ $ref: '#/x-limit' }] },
      ]
      description['x-limit'] = { maxLength: 3 }
      const name = { allOf: [{ $ref: `${at}/1` }] }
      description.components.schemas.Parts = { properties: { name, ids: list } }
      loan.get.parameters = [
        { $ref: `${at}/0` },
        { name: 'level', in: 'query', schema: level },
        { name: 'ids[]', in: 'query', schema: { $ref: `${parts}/ids` } },
        { name: 'constructor', in: 'query', schema: { allOf: [schema] } },
      ]
      description.paths = { ...paths, [path]: loan }
    },
  })
  const accepted = (query: object) => ({ path: { '1st-name': 'a,b' }, query })
  const rejected = (at: string) => ({ status: 400, details: [{ path: at }] })
  for (const [what, name, query, expected] of [
    ['of two paths that match, the one with more text', 'a,b', '', accepted({ level: 2 })],
    ['not sent: nothing is inherited', 'a,b', '?level=3', accepted({ level: 3 })],
    ['a name that objects inherit', 'a,b', '?constructor=a', accepted({ constructor: 'a' })],
    ['brackets, beside a default', 'a,b', '?ids[]=1', accepted({ level: 2, 'ids[]': [1] })],
    ['a text like a number', 'a,b', '?ids[]=1&constructor=5.0', accepted({ constructor: '5.0' })],
    ['a wrong item', 'a,b', '?ids[]=a', rejected('/query/ids[]/0')],
    ['references to other places', 'a,bc', '', rejected('/path/1st-name')],
  ] as const) {
    const response = await send(`${tools}/${name}:größe('1')${query}`)
    expect(await response.json(), what).toMatchObject(expected)
  }
})

test('a handler that changes a default changes no later request', async () => {
  const schema = { type: 'array', items: { type: 'string' }, default: ['a'] }
  const operation: SmallOperation = {
    method: 'get',
    path: '/sorted',
    parameters: [{ name: 'by', in: 'query', schema }],
    response: { content: { 'application/json': { schema: true } } },
    handler: ({ query }) => {
      const by = query['by'] as string[]
      return { status: 200, body: by.push('b') }
    },
  }
  const { send } = await startServiceOf(createSmallApi([operation], {}))
  for (const length of [2, 2]) {
    expect(await (await send('/v1/sorted')).json()).toBe(length)
  }
})

test('a parameter of an operation replaces that of its path, which applies to the other operations', async () => {
  const note = (schema: object) => ({ name: 'note', in: 'query', schema })
  const { artifacts } = await compile(
    await writeSpec(
      editText(
        await readFixture(),
        append('paths /tools/{toolId} parameters', note({ type: 'string', maxLength: 2 })),
        set('paths /tools/{toolId} get parameters', [note({ type: 'integer', maximum: 999 })]),
      ),
    ),
    'minimal',
  )
  const description: JsonObject = JSON.parse(artifacts.get('openapi.json') ?? '')
  const { send } = await startFixtureWith({
    edit: (served) => Object.assign(served, description),
    operations: readOperations(readBundled(description)),
  })
  for (const [method, text, status, message] of [
    ['GET', '999', 404],
    ['GET', '1000', 400, 'must be at most 999'],
    ['GET', 'a', 400, 'must be an integer in plain decimal digits'],
    ['DELETE', 'a', 404],
    ['DELETE', '999', 400, 'must have at most 2 characters'],
  ] as const) {
    const response = await send(`${tools}/1?note=${text}`, { method })
    const { details }: { readonly details?: unknown } = await response.json()
    const wanted = message === undefined ? undefined : [{ path: '/query/note', message }]
    expect([response.status, details], `${method} ${text}`).toEqual([status, wanted])
  }
})
