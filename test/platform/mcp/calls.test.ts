import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { sampled } from '../../../server/contract/handler.ts'
import { respond } from '../../../server/contract/handler-response.ts'
import { connectAgent, type Revision } from '../../helpers/agent.ts'
import { startFixtureService, startFixtureWith } from '../../helpers/fixture-service.ts'
import { readMetrics } from '../../helpers/metrics.ts'
import { startServiceOf } from '../../helpers/service.ts'
import { json } from '../validation/support/kinds-service.ts'
import { createSmallApi } from '../validation/support/small-api.ts'

/** Starts a service with an agent. */
async function start(revision?: Revision, environment: Readonly<Record<string, string>> = {}) {
  const service = await startFixtureService(environment)
  const { origin, apiKey: key } = service
  const agent = await connectAgent({ origin, key, ...(revision && { revision }) })
  return { ...service, agent }
}

const saw = { kind: 'saw', name: 'Ryoba', teeth: 24 }

test.each(['2026-07-28', 'before'] as const)(
  'an agent of the revision %s creates, lists and deletes, and corrects a call that was rejected',
  async (revision) => {
    const { agent, client } = await start(revision)
    expect([...(await agent.tools()).keys()]).toContain('createTool')

    const rejected = await agent.call('createTool', { body: { ...saw, name: '' } })
    expect(rejected).toMatchObject({
      isError: true,
      status: 400,
      body: {
        code: 'invalid_request',
        details: [{ path: '/body/name', message: 'must have at least 1 character' }],
      },
    })
    const created = await agent.call('createTool', { body: saw })
    expect(created).toEqual({ isError: false, status: 201, body: { id: 1, ...saw } })
    expect(await client.getTool(1)).toEqual({ id: 1, ...saw })

    const listed = await agent.call('listTools', { kind: 'saw' })
    expect(listed).toEqual({
      ...{ isError: false, status: 200, headers: { 'x-total': '1' } },
      body: [{ id: 1, ...saw }],
    })
    const replaced = await agent.call('replaceTool', { toolId: 1, body: { ...saw, teeth: 3 } })
    expect(replaced).toMatchObject({ status: 200, body: { teeth: 3 } })
    expect(await agent.call('deleteTool', { toolId: 1 })).toEqual({ isError: false, status: 204 })
    expect(await agent.call('getTool', { toolId: 1 })).toMatchObject({
      ...{ isError: true, status: 404 },
      body: { code: 'not_found', message: 'There is no tool 1.' },
    })
  },
)

test('the result of a page has the arguments of the next one', async () => {
  const { agent, client } = await start()
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    await client.createTool({ ...saw, kind: 'saw', name, tags: ['wood'] })
  }
  const names: unknown[] = []
  let sent: Readonly<Record<string, unknown>> | undefined = { limit: 2, kind: 'saw', tag: ['wood'] }
  while (sent !== undefined) {
    const { body, next } = await agent.call('listTools', sent)
    names.push((body as { name: string }[]).map(({ name }) => name))
    if (next !== undefined) {
      expect(next).toEqual({ ...sent, cursor: expect.any(String) })
    }
    sent = next
  }
  expect(names).toEqual([['a', 'b'], ['c', 'd'], ['e']])
})

test('parameters of each location reach the operation, and null is a parameter that is not sent', async () => {
  const seen: unknown[] = []
  const service = await startFixtureWith({
    handlers: {
      listTools: (input: Readonly<Record<string, unknown>>) => {
        const { query, headers, cookies } = input
        seen.push({ query, headers, cookies })
        return { status: 200, body: [], headers: { 'X-Total': 0 } }
      },
    },
  })
  const agent = await connectAgent({ origin: service.origin, key: service.apiKey })
  const trace = '4cb5d2f3-6a8a-4d0e-8f6e-0a1b2c3d4e5f'
  const sent = { tag: ['a b', 'ü&=,'], ids: [1, 2], 'heavier-than': 0.5, shelf: 7 }
  const others = { kind: null, cursor: undefined, 'X-Trace': trace }
  expect(await agent.call('listTools', { ...sent, ...others })).toMatchObject({ status: 200 })
  const { shelf, ...query } = sent
  expect(seen).toEqual([
    { query: { limit: 10, ...query }, headers: { 'X-Trace': trace }, cookies: { shelf } },
  ])
})

test.each([
  ['getTool', {}, 'The argument toolId is required, and must not be empty.'],
  ['getTool', { toolId: '' }, 'The argument toolId is required, and must not be empty.'],
  ['getTool', { toolId: 1, id: 2 }, 'The tool has no argument "id". It has: toolId.'],
  ['getOpeningHours', { day: 1 }, 'The tool has no argument "day". It has none.'],
  [
    'listTools',
    { 'X-Trace': 'a\r\nAuthorization: b' },
    'The argument X-Trace cannot be sent: a header field has no line breaks, and no characters beyond Latin-1.',
  ],
])('%s with the arguments %j is an error without a request', async (name, sent, message) => {
  const { agent, requestLines } = await start()
  expect(await agent.call(name, sent)).toEqual({ isError: true, message })
  expect(requestLines.map(({ path }) => path)).not.toContain('/lending/v2/tools')
})

test.each([
  ['getTool', { toolId: '../tools' }, '/path/toolId'],
  ['getTool', { toolId: '1/manual' }, '/path/toolId'],
  ['getTool', { toolId: { a: 1 } }, '/path/toolId'],
  ['listTools', { limit: '1&kind=saw' }, '/query/limit'],
  ['listTools', { limit: 'many' }, '/query/limit'],
  ['createTool', { body: 'saw' }, '/body'],
  ['createTool', {}, '/body'],
])('%s with the arguments %j is rejected by the operation', async (name, sent, path) => {
  const { agent } = await start()
  const rejected = await agent.call(name, sent)
  expect(rejected).toMatchObject({ isError: true, status: 400, body: { details: [{ path }] } })
})

test('a body beyond the limit of the operation is 413, a query beyond that of targets 414', async () => {
  const { agent } = await start()
  const body = { ...saw, note: 'x'.repeat(30_000) }
  expect(await agent.call('createTool', { body })).toMatchObject({ isError: true, status: 413 })
  const cursor = 'x'.repeat(30_000)
  expect(await agent.call('listTools', { cursor })).toMatchObject({ isError: true, status: 414 })
})

test('an operation without a handler is a tool whose result is a sample', async () => {
  const book = { type: 'object', required: ['title'], properties: { title: { const: 'Emma' } } }
  const operation = { method: 'get', path: '/books/1', response: json(book) }
  const api = createSmallApi([{ ...operation, handler: sampled }], {})
  const { origin, apiKey: key } = await startServiceOf(api)
  const agent = await connectAgent({ origin, key })
  expect(await agent.call('operation0')).toMatchObject({ status: 200, body: { title: 'Emma' } })
})

test('a create with an Idempotency-Key is not repeated', async () => {
  const { agent } = await start()
  const sent = { body: saw, 'Idempotency-Key': 'one-key-1' }
  const first = await agent.call('createTool', sent)
  const second = await agent.call('createTool', sent)
  expect(first).toMatchObject({ status: 201, body: { id: 1 } })
  expect(second).toMatchObject({ status: 201, body: { id: 1 } })
  expect(second.headers).toMatchObject({ 'idempotent-replayed': 'true' })
})

test.each(['application/jsonl', 'text/event-stream', 'application/zip'])(
  'a stream of %s where agents asked for JSON is a result without content, and ends',
  async (mediaType) => {
    let hasEnded = false
    async function* items() {
      try {
        for (;;) {
          yield mediaType === 'application/zip' ? Buffer.from('PK') : { cents: 1 }
          await wait(1)
        }
      } finally {
        hasEnded = true
      }
    }
    const content = { 'application/json': { schema: true }, [mediaType]: {} }
    const handler = () => respond(200, items(), { 'Content-Type': mediaType })
    const operation = { method: 'get', path: '/prices', response: { content }, handler }
    const { origin, apiKey: key } = await startServiceOf(createSmallApi([operation], {}))
    const agent = await connectAgent({ origin, key })
    expect(await agent.call('operation0')).toEqual({
      ...{ isError: false, status: 200 },
      body: `(content of ${mediaType}, which agents do not read)`,
    })
    await expect.poll(() => hasEnded).toBe(true)
  },
)

test('many calls at once have their own results', async () => {
  const { agent } = await start()
  const numbers = Array.from({ length: 60 }, (_, index) => index + 1)
  const results = await Promise.all(
    numbers.map((teeth) => agent.call('createTool', { body: { ...saw, teeth } })),
  )
  const teeth = results.map(({ body }) => (body as { teeth: number }).teeth)
  expect(teeth).toEqual(numbers)
})

test('an unexpected error is a 500 with the ID of the request, and without its reason', async () => {
  const service = await startFixtureWith({
    handlers: {
      getTool: () => {
        throw new Error('a secret')
      },
    },
  })
  const agent = await connectAgent({ origin: service.origin, key: service.apiKey })
  const failed = await agent.call('getTool', { toolId: 1 })
  expect(failed).toMatchObject({ isError: true, status: 500, body: { code: 'internal_error' } })
  expect(JSON.stringify(failed)).not.toContain('secret')
  const [line] = service.requestLines.filter(({ status }) => status === 500)
  expect(failed.headers?.['x-request-id']).toBe(line?.['requestId'])
})

test('the operation of an agent that leaves is aborted', async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<AbortSignal>()
  const service = await startFixtureWith({
    handlers: {
      getTool: (_input: unknown, { signal }: { readonly signal: AbortSignal }) => {
        begin(signal)
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('the agent has left')))
        })
      },
    },
  })
  const agent = await connectAgent({ origin: service.origin, key: service.apiKey })
  const leaving = new AbortController()
  const { signal } = leaving
  const call = agent.client.callTool({ name: 'getTool', arguments: { toolId: 1 } }, { signal })
  call.catch(() => undefined)
  const seen = await begun
  expect(seen.aborted).toBe(false)
  leaving.abort()
  await expect(call).rejects.toThrow()
  await expect.poll(() => seen.aborted).toBe(true)
})

test('calls leave no connection open', async () => {
  const { agent, metricsUrl } = await start(undefined, { OPS_PORT: '0' })
  const open = async () => (await readMetrics({ metricsUrl })).get('api_connections')
  await agent.call('getTool', { toolId: 1 })
  const before = await open()
  for (let call = 0; call < 20; call++) {
    await agent.call('getTool', { toolId: 1 })
  }
  await expect.poll(open).toBe(before)
})
