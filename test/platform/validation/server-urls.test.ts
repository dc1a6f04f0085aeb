import { expect, test } from 'vitest'
import { startServiceOf } from '../../helpers/service.ts'
import { createSmallApi, type SmallOperation } from './support/small-api.ts'

const operation: SmallOperation = {
  method: 'get',
  path: '/items',
  parameters: [
    {
      ...{ name: 'names', in: 'query', explode: false },
      schema: { type: 'array', items: { type: 'string' }, maxItems: 1 },
    },
  ],
  response: { content: { 'application/json': { schema: {} } } },
  handler: ({ query }) => ({ status: 200, body: query }),
}

// As URLs relative to the root (RFC 3986, section 5.2), or with a host.
const servers: readonly (readonly [url: string, basePath: string])[] = [
  ['./v1', '/v1'],
  ['../v1', '/v1'],
  ['./api/v1/', '/api/v1'],
  ['https://api.example.org/v1', '/v1'],
  ['//api.example.org/v1/', '/v1'],
  ['v1', '/v1'],
  ['/v1/../v2/./', '/v2'],
  ['https://api.example.org/a(b)+c/%7Ev1', '/a(b)+c/%7Ev1'],
  ['/straße v1', '/stra%C3%9Fe%20v1'],
  ['https://{region}.example.org:{port}/v1', '/v1'],
  // Variables that are not declared.
  ['{siteUrl}', ''],
  ['{siteUrl}/v1', '/v1'],
  ['{scheme}://{host}/v1', '/v1'],
  ['https://api.example.org', ''],
  ['https://api.example.org/?a=b#c', ''],
  ['/', ''],
  ['.', ''],
]

test.for(servers)('with the server %s, operations are at %s', async ([url, basePath]) => {
  const { send } = await startServiceOf(createSmallApi([operation], {}, url))
  const accepted = await send(`${basePath}/items?names=a`)
  expect([accepted.status, await accepted.json()]).toEqual([200, { names: ['a'] }])
  const rejected = await send(`${basePath}/items?names=a,b`)
  expect([rejected.status, await rejected.json()]).toMatchObject([
    400,
    { details: [{ path: '/query/names' }] },
  ])
  const undeclared = await send(`${basePath}/others`)
  expect([undeclared.status, await undeclared.json()]).toMatchObject([404, { code: 'not_found' }])
})

test('the base path is that of the first server, with its variables at their defaults', async () => {
  const variables = { stage: { default: 'v3', enum: ['v2', 'v3'] } }
  const servers = [{ url: 'https://a.example/{stage}', variables }, { url: 'https://b.example/v2' }]
  const { send } = await startServiceOf(createSmallApi([operation], {}, servers))
  expect((await send('/v3/items')).status).toBe(200)
  expect((await fetch(new URL('/v2/items', (await send('/v3/items')).url))).status).toBe(404)
})

test('without servers, operations are at the root', async () => {
  const { send } = await startServiceOf(createSmallApi([operation], {}, []))
  expect((await send('/items')).status).toBe(200)
})

test('operations with servers of their own are below the base path of the description', async () => {
  const servers = [{ url: 'https://other.example/v2' }]
  const { send } = await startServiceOf(createSmallApi([{ ...operation, servers }], {}))
  expect((await send('/v1/items')).status).toBe(200)
})
