import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createClient } from '../../../client/client.ts'
import { ApiError } from '../../../client/errors.ts'
import { createApiMockHandlers, type MockedApi } from '../../../client/mock-handlers.ts'
import { printExamples } from '../../../scripts/pipeline/examples.ts'
import { readBundled } from '../../../server/description/description-reader.ts'
import { toObject } from '../../../server/description/json.ts'
import { examples } from '../../fixture-api/generated/examples.ts'
import { createMockHandlers } from '../../fixture-api/testing.ts'
import { readClientOperations } from '../../helpers/client-operations.ts'
import { apiKey, baseUrl, failureOf, recordClient, saw } from './support/client.ts'

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

test('a response has the media type of the contract', async () => {
  const body = { title: 'None' }
  const content = (type: string) => ({ [type]: { schema: { type: 'object' }, example: body } })
  const description = readBundled({
    openapi: '3.1.0',
    info: { title: 'A', version: '1.0.0' },
    paths: {
      '/a': {
        get: {
          operationId: 'getA',
          responses: {
            200: { description: 'A.', content: content('application/json') },
            404: { description: 'None.', content: content('application/problem+json') },
          },
        },
      },
    },
  })
  const code = printExamples(description)
  const [, literal = ''] = /= (\{.*\}) as const/s.exec(code) ?? []
  const printed: MockedApi['examples'] = JSON.parse(literal.replaceAll(/^( *)(\d+):/gm, '$1"$2":'))
  const api = {
    operations: { getA: { method: 'get', path: '/a', security: [] } },
    examples: printed,
  }
  for (const [status, type] of [
    [200, 'application/json'],
    [404, 'application/problem+json'],
  ] as const) {
    server.use(...createApiMockHandlers(api, baseUrl, { getA: { status } }))
    const response = await fetch(`${baseUrl}/a`)
    expect([response.status, response.headers.get('Content-Type')]).toEqual([status, type])
    expect(await response.json()).toEqual(body)
  }
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

test('content that is not JSON is mocked: texts, bytes, and the items of streams', async () => {
  const content = (type: string, more: object = {}) => ({
    responses: { 200: { description: 'A.', content: { [type]: more } } },
  })
  const whole = { properties: { id: { type: 'string' }, data: { type: 'string' } } }
  const operations = {
    getText: content('text/csv', { example: 'a,b' }),
    getBytes: content('image/png'),
    watch: content('text/event-stream', { itemSchema: whole }),
    list: content('application/jsonl', { itemSchema: { type: 'integer' } }),
  }
  const paths = Object.entries(operations).map(([operationId, operation]) => {
    return [`/${operationId}`, { get: { operationId, ...operation } }] as const
  })
  const info = { title: 'A', version: '1.0.0' }
  const description = readBundled({ openapi: '3.2.0', info, paths: Object.fromEntries(paths) })
  const printed = printExamples(description)
  const examplesOfAll: MockedApi['examples'] = JSON.parse(
    printed
      .slice(printed.indexOf('{'), printed.lastIndexOf(' as const'))
      .replaceAll(/(\d+): /g, '"$1": '),
  )
  const api: MockedApi = {
    operations: readClientOperations(description),
    examples: examplesOfAll,
  }
  const events = [{ id: '1', data: 'a\nb' }, { data: '' }]
  const bytes = new Uint8Array([0, 255])
  const mocked = { getBytes: { body: bytes }, watch: { body: events }, list: { body: [1, 2] } }
  server.use(...createApiMockHandlers(api, baseUrl, mocked))

  interface Content {
    readonly raw: unknown
    getText(): Promise<string>
    getBytes(): Promise<Blob>
    watch(): AsyncIterable<unknown>
    list(): AsyncIterable<unknown>
  }
  const own = createClient<Content>(
    { baseUrl, apiKey },
    readClientOperations(description),
    ApiError,
  )
  expect(await own.getText()).toBe('a,b')
  expect(new Uint8Array(await (await own.getBytes()).arrayBuffer())).toEqual(bytes)
  expect(await Array.fromAsync(own.watch())).toEqual(events)
  expect(await Array.fromAsync(own.list())).toEqual([1, 2])
})
