import { expect, test } from 'vitest'
import { startFixtureWith } from '../../helpers/fixture-service.ts'
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

test('a path parameter may have any name', async () => {
  const path = '/members/{1st-name}x'
  const parameters = { query: {}, header: {}, cookie: {} }
  const row = { required: true, type: 'array' }
  const { send } = await startFixtureWith({
    handlers: { getLoan: ({ path }: { path: object }) => ({ status: 200, body: path }) },
    operations: { getLoan: { path, parameters: { ...parameters, path: { '1st-name': row } } } },
    edit({ paths }) {
      const { get } = paths['/members/{member}/loans/{number}.json']
      const schema = { type: 'array', maxItems: 2 }
      get.parameters = [{ name: '1st-name', in: 'path', required: true, schema }]
      get.responses[200].content['application/json'].schema = {}
      get.responses[404] = { $ref: '#/paths/~1tools~1%7BtoolId%7D/get/responses/404' }
      paths[path] = { get }
    },
  })
  const valid = await send('/lending/v2/members/a,bx')
  expect([valid.status, await valid.json()]).toEqual([200, { '1st-name': ['a', 'b'] }])
  const { details } = Object(await (await send('/lending/v2/members/a,b,cx')).json())
  expect(details).toEqual([{ path: '/path/1st-name', message: expect.any(String) }])
})
