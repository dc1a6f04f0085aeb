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
