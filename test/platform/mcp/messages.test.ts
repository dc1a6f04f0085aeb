import { expect, test } from 'vitest'
import { agentHeaders, callMessage, connectAgent } from '../../helpers/agent.ts'
import {
  fixtureWith,
  secured,
  startFixtureService,
  startFixtureWith,
} from '../../helpers/fixture-service.ts'
import { readMetrics, requestsOf } from '../../helpers/metrics.ts'
import { startTestService, type TestService } from '../../helpers/service.ts'
import { createDescribedApi } from '../auth/support/described-api.ts'

const initialize = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: {
    ...{ protocolVersion: '2025-06-18', capabilities: {} },
    clientInfo: { name: 'an-agent', version: '1.0.0' },
  },
}
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

interface Sent {
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly path?: string
}

/** Sends a message as clients do. */
function sendMessage({ send }: TestService, json: unknown, sent: Sent = {}): Promise<Response> {
  const { headers, path = '/mcp', ...others } = sent
  return send(path, { json, headers: { ...agentHeaders, ...headers }, ...others })
}

/** Sends a call of a tool; returns what the agent sees of it. */
async function callTool(service: TestService, name: string, given: unknown, sent: Sent = {}) {
  const response = await sendMessage(service, callMessage(name, given), sent)
  const [, data = ''] = /^data: (.*)$/m.exec(await response.text()) ?? []
  const { result }: { result: { structuredContent: Readonly<Record<string, unknown>> } } =
    JSON.parse(data)
  return result.structuredContent
}

test.each([
  ['initialize', initialize],
  ['tools/list', list],
  ['tools/call', callMessage('getOpeningHours')],
])('%s without a valid credential is 401 with WWW-Authenticate', async (_method, message) => {
  const service = await startFixtureService()
  const missing = await sendMessage(service, message, { key: '' })
  expect([missing.status, missing.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  expect(await missing.json()).toMatchObject({ code: 'missing_api_key' })
  const wrong = await sendMessage(service, message, { key: 'wrong' })
  const challenge = 'Bearer error="invalid_token"'
  expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([401, challenge])
})

test('a key that is revoked is 401 for an agent that is connected', async () => {
  const service = await startFixtureService()
  const { key, id } = await service.issue()
  const agent = await connectAgent({ origin: service.origin, key })
  expect(await agent.call('getTool', { toolId: 1 })).toMatchObject({ status: 404 })
  await service.store.keys.revoke(id, Date.now())
  const read = () => agent.call('getTool', { toolId: 1 }).then(() => 'served', String)
  await expect.poll(read, { timeout: 10_000 }).toContain('401')
})

test('an API without security schemes has tools for agents without a credential', async () => {
  const api = await createDescribedApi({
    ...{ securitySchemes: {}, paths: { '/open': [] } },
    createAuthenticators: () => ({}),
  })
  const service = await startTestService({}, undefined, {}, api)
  const agent = await connectAgent({ origin: service.origin, key: '' })
  const [name = ''] = (await agent.tools()).keys()
  expect(await agent.call(name)).toMatchObject({ status: 200, body: { callerId: null } })
})

test('a credential in a header, a query or a cookie of the message is that of the operation', async () => {
  const api = await createDescribedApi({
    securitySchemes: {
      header: { type: 'apiKey', in: 'header', name: 'X-Key' },
      query: { type: 'apiKey', in: 'query', name: 'api key' },
      cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
    },
    paths: {
      '/header': [{ header: [] }],
      '/query': [{ query: [] }],
      '/cookie': [{ cookie: [] }],
    },
    methods: { '/cookie': 'post' },
    createAuthenticators: ({ apiKeys }) => ({
      header: apiKeys('header'),
      query: apiKeys('query'),
      cookie: apiKeys('cookie'),
    }),
  })
  const service = await startTestService({}, undefined, {}, api)
  const { origin, apiKey } = service
  const sent = {
    header: { headers: { 'X-Key': apiKey } },
    query: { path: `/mcp?other=1&api%20key=${apiKey}` },
    cookie: { headers: { Cookie: `session=${apiKey}` } },
  }
  const locations = Object.entries(sent)
  for (const [index, [location, credential]] of locations.entries()) {
    const agent = await connectAgent({ origin, key: '', ...credential })
    const calls = locations.map((_, call) => agent.call(`call${call}`))
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses, location).toEqual([401, 401, 401].with(index, 200))
  }
  // No agent is asked for them.
  const agent = await connectAgent({ origin, key: '', ...sent.header })
  for (const { inputSchema } of (await agent.tools()).values()) {
    expect(inputSchema.properties).toEqual({})
  }
})

test('a call of a tool is counted once, within the limits of its caller', async () => {
  const service = await startFixtureService()
  const { key } = await service.issue({ perMinute: 3 })
  const listed = await sendMessage(service, list, { key })
  expect(listed.headers.get('x-ratelimit-remaining')).toBe('2')
  for (let call = 0; call < 2; call++) {
    expect(await callTool(service, 'getTool', { toolId: 1 }, { key })).toMatchObject({
      status: 404,
    })
  }
  const limited = await callTool(service, 'getTool', { toolId: 1 }, { key })
  expect(limited).toMatchObject({
    status: 429,
    headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
    body: { code: 'rate_limited', message: expect.stringMatching(/Retry in \d+ seconds/) },
  })
  const rejected = await sendMessage(service, list, { key })
  expect(rejected.status).toBe(429)
  expect(rejected.headers.get('retry-after')).toMatch(/^\d+$/)
})

test.each([
  ['a tool that does not exist', callMessage('buyTool')],
  ['arguments that make no request', callMessage('getTool', {})],
  ['arguments that are no object', callMessage('getTool', [])],
  ['no JSON-RPC', { method: 'tools/call' }],
  ['a batch', [callMessage('getOpeningHours')]],
  ['a body that is no JSON', '{'],
])('a message with %s is counted, too', async (_what, message) => {
  const service = await startFixtureService()
  const { key } = await service.issue({ perMinute: 1 })
  expect((await sendMessage(service, message, { key })).status).not.toBe(429)
  expect((await sendMessage(service, list, { key })).status).toBe(429)
})

test('a call without a caller is counted for the address of the agent', async () => {
  const environment = { ANONYMOUS_PER_MINUTE: '2', TRUST_PROXY: '1' }
  const service = await startFixtureService(environment)
  const callFrom = (address: string) => {
    const headers = { 'X-Forwarded-For': address }
    return callTool(service, 'getOpeningHours', {}, { headers })
  }
  for (const status of [200, 200, 429]) {
    expect(await callFrom('192.0.2.1')).toMatchObject({ status })
  }
  expect(await callFrom('192.0.2.2')).toMatchObject({ status: 200 })
})

test('the log and the metrics have the operation, with the request ID of the message', async () => {
  const service = await startFixtureService({ OPS_PORT: '0' })
  const headers = { 'X-Request-Id': 'agent-request-1' }
  await callTool(service, 'getTool', { toolId: 1 }, { headers })
  const lines = service.requestLines.map(({ requestId, path, operationId, status, keyId }) => {
    return { requestId, path, operationId, status, hasKey: keyId !== undefined }
  })
  const requestId = 'agent-request-1'
  expect(lines).toEqual([
    { requestId, path: '/lending/v2/tools/1', operationId: 'getTool', status: 404, hasKey: true },
    { requestId, path: '/mcp', operationId: undefined, status: 200, hasKey: true },
  ])
  expect(requestsOf(await readMetrics(service), 'getTool', 404)).toBe(1)
})

test.each(['GET', 'HEAD', 'PUT', 'DELETE'])('%s is 405: no session is kept', async (method) => {
  const { send } = await startFixtureService()
  const response = await send('/mcp', { method, headers: agentHeaders })
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'OPTIONS, POST'])
})

test.each([
  ['a batch', [callMessage('getOpeningHours'), callMessage('getOpeningHours')], 400, -32_600],
  ['a subscription', { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen' }, 200, -32_601],
  ['a tool that does not exist', callMessage('buyTool'), 200, -32_602],
  ['an unknown method', { jsonrpc: '2.0', id: 1, method: 'tools/buy' }, 200, -32_601],
  ['no method', { jsonrpc: '2.0', id: 1 }, 400, -32_600],
])('%s is an error of the protocol', async (_what, message, status, code) => {
  const response = await sendMessage(await startFixtureService(), message)
  expect(response.status).toBe(status)
  expect(await response.text()).toContain(`"code":${code}`)
})

test('content that is no JSON, is too large or is malformed gets the errors of the API', async () => {
  const service = await startFixtureService()
  const text = await sendMessage(service, 'a', { headers: { 'Content-Type': 'text/plain' } })
  const large = await sendMessage(service, callMessage('getTool', { a: 'x'.repeat(1_000_000) }))
  const malformed = await sendMessage(service, '{"id":1,"id":2}')
  expect([text.status, large.status, malformed.status]).toEqual([415, 413, 400])
  expect(await malformed.json()).toMatchObject({ code: 'malformed_json' })
})

test('a message of a page is 403, unless CORS_ORIGINS has its origin', async () => {
  const allowed = 'https://app.example'
  const service = await startFixtureService({ CORS_ORIGINS: allowed })
  for (const origin of ['https://evil.example', 'null', service.origin]) {
    const response = await sendMessage(service, list, { headers: { Origin: origin } })
    expect(response.status, origin).toBe(403)
    expect(await response.json()).toMatchObject({ error: { code: -32_600 } })
  }
  const response = await sendMessage(service, list, { headers: { Origin: allowed } })
  expect(response.status).toBe(200)
  expect(response.headers.get('access-control-allow-origin')).toBe(allowed)

  const asked = { Origin: allowed, 'Access-Control-Request-Method': 'POST' }
  const preflight = await service.send('/mcp', { method: 'OPTIONS', key: '', headers: asked })
  const names = preflight.headers.get('access-control-allow-headers')?.split(', ')
  expect(names).toEqual(
    expect.arrayContaining(['Authorization', 'MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name']),
  )
})

test('MCP=off: the path does not exist, and llms.txt does not name it', async () => {
  const service = await startFixtureWith(secured, { MCP: 'off' })
  expect((await sendMessage(service, list)).status).toBe(404)
  const overview = async ({ send }: TestService) => (await send('/llms.txt')).text()
  expect(await overview(service)).not.toContain('`/mcp`')
  expect(await overview(await startFixtureService())).toContain('`/mcp`')
})

test('the path follows platformPaths', async () => {
  const api = { ...fixtureWith(), settings: { platformPaths: '/_platform' } }
  const service = await startTestService({}, undefined, {}, api)
  expect((await sendMessage(service, list)).status).toBe(404)
  const { origin, apiKey: key } = service
  const agent = await connectAgent({ origin, key, path: '/_platform/mcp' })
  expect(await agent.call('getTool', { toolId: 1 })).toMatchObject({ status: 404 })
})

test('a service that stops finishes a call that is running', async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const service = await startFixtureWith({
    handlers: {
      getTool: async () => {
        begin()
        await released
        return { status: 200, body: { id: 1, kind: 'saw', name: 'Ryoba' } }
      },
    },
  })
  const agent = await connectAgent({ origin: service.origin, key: service.apiKey })
  const call = agent.call('getTool', { toolId: 1 })
  await begun
  const stopped = service.stop()
  release()
  expect(await call).toMatchObject({ status: 200, body: { name: 'Ryoba' } })
  await stopped
})
