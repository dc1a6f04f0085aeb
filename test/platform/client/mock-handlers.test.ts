import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { toObject } from '../../../server/description/json.ts'
import { examples } from '../../fixture-api/generated/examples.ts'
import { createMockHandlers } from '../../fixture-api/testing.ts'
import { baseUrl, failureOf, recordClient, saw } from './support/client.ts'

const server = setupServer(...createMockHandlers(`${baseUrl}/`))
const { client } = recordClient((request) => fetch(request))

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

/** Returns the first example of a status, whatever its name is in the spec. */
function firstOf<Body>({ bodies }: { readonly bodies: Readonly<Record<string, Body>> }) {
  return Object.values(bodies)[0]
}

test('every operation responds with the first example of its success', async () => {
  expect([...(await client.listTools())]).toEqual(firstOf(examples.listTools[200]))
  expect(await client.createTool(saw)).toEqual(firstOf(examples.createTool[201]))
  expect(await client.getTool(1)).toEqual(firstOf(examples.getTool[200]))
  expect(await client.replaceTool(1, saw)).toEqual(firstOf(examples.replaceTool[200]))
  expect(await client.updateTool(1, { note: null })).toEqual(firstOf(examples.updateTool[200]))
  expect(await client.deleteTool(1)).toBeUndefined()
  expect(await client.getManual(1)).toEqual(firstOf(examples.getManual[200]))
  expect(await client.getLoan('ann', 7)).toEqual(firstOf(examples.getLoan[200]))
  expect(await client.getOpeningHours()).toEqual(firstOf(examples.getOpeningHours[200]))
})

test('an example of any status is chosen by its name, or is the first', async () => {
  const { bodies, headers } = examples.listTools[429]
  for (const [example, body] of [...Object.entries(bodies), [undefined, firstOf({ bodies })]]) {
    const listTools = { status: 429, example }
    server.use(...Reflect.apply(createMockHandlers, undefined, [baseUrl, { listTools }]))
    expect(await failureOf(client.listTools())).toMatchObject({
      ...toObject(body),
      retryAfter: Number(headers['Retry-After']),
      rateLimit: { limit: Number(headers['X-RateLimit-Limit']) },
    })
  }
  expect(await client.getTool(1)).toEqual(firstOf(examples.getTool[200]))
})

test('a handler may respond with a body and headers of its own', async () => {
  const body = { id: 5, ...saw }
  const headers = { Link: `<${baseUrl}/tools?cursor=abc>; rel="next"` }
  const listTools = { status: 200 as const, body: [], headers }
  server.use(...createMockHandlers(baseUrl, { getTool: { status: 200, body }, listTools }))
  expect(await client.getTool(5)).toEqual(body)
  expect((await client.listTools()).next).toEqual({ cursor: 'abc' })
})

test.each([
  [{ listToolz: { status: 200 } }, 'The API has no operation listToolz. Allowed: listTools, '],
  [{ getTool: { status: 418 } }, 'getTool has no status 418. Allowed: 200, '],
  [{ getTool: { status: 200, example: 'none' } }, 'getTool 200 has no example none. Allowed: '],
  [{ getTool: { exmaple: 'none' } }, 'getTool has no option exmaple. Allowed: status, example, '],
])('a response that is not of the contract is a TypeError: %j', (responses, message) => {
  const create = () => Reflect.apply(createMockHandlers, undefined, [baseUrl, responses])
  expect(create).toThrow(TypeError)
  expect(create).toThrow(message)
})
