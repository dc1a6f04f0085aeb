import { expect, test } from 'vitest'
import { createClient } from '../../../client/client.ts'
import { readAnyError } from '../../../client/error-formats.ts'
import { ApiError } from '../../../client/errors.ts'
import { createToolLibrary } from '../../fixture-api/client.ts'
import { findFreePort } from '../../helpers/free-port.ts'
import { apiKey, baseUrl, fail, failureOf, reasonOf, recordClient } from './support/client.ts'

test('an error is an Error whose stack begins with its name and names the caller', async () => {
  const error = await failureOf(recordClient(fail(404)).client.getTool(1))
  expect(error).toBeInstanceOf(Error)
  expect(error.stack).toMatch(/^ToolLibraryError: .+\n +at /)
  expect(error.stack).toContain('errors.test.ts')
  expect(String(error)).toBe(`ToolLibraryError: ${error.message}`)
  expect(JSON.parse(JSON.stringify(error))).toMatchObject({ code: 'code_404', status: 404 })
})

const page = '<html><body><h1>Bad gateway</h1></body></html>'
const redirect = new Response(null, { status: 308, headers: { Location: '/v2/tools' } })
const html = { 'Content-Type': 'text/html' }

test.each([
  ['an HTML error page', new Response(page, { status: 404, headers: html }), 404, 'text/html'],
  ['an error that is null', Response.json(null, { status: 404 }), 404, 'application/json'],
  [
    'an error without a message',
    Response.json({ id: 1 }, { status: 404 }),
    404,
    'application/json',
  ],
  ['an HTML page with 200', new Response(page, { headers: html }), 200, 'text/html, not JSON'],
  ['a redirect', redirect, 308, 'null, a redirect, not followed'],
])('%s is an unexpected_response', async (_, response, status, type) => {
  const { client, requests } = recordClient(() => response)
  const error = await failureOf(client.getTool(1))
  expect(requests.map(({ redirect }) => redirect)).toEqual(['manual'])
  const known = { code: 'unexpected_response', operationId: 'getTool', details: [], attempts: 1 }
  expect(error).toMatchObject({ name: 'ToolLibraryError', ...known, status })
  expect(error.message).toBe(`GET /tools/{toolId}: unexpected response: ${status} ${type}`)
})

const headers = { 'X-Request-Id': 'request-1' }
const ofPlatform = { code: 'not_found', message: 'None.', status: 404 }

test.each<[string, unknown, string]>([
  ['an Error object', ofPlatform, 'not_found'],
  ['a message alone', { message: 'None.' }, 'http_error'],
  ['a number as code', { code: 17, message: 'None.' }, 'http_error'],
])('an error with a message is read: %s', async (_, body, code) => {
  const { client } = recordClient(() => Response.json(body, { status: 404, headers }))
  const error = await failureOf(client.getTool(1))
  const known = { code, body, status: 404, requestId: 'request-1', details: [] }
  expect(error).toMatchObject({ message: 'None.', ...known })
})

interface AnyErrors {
  readonly raw: unknown
  find(): Promise<unknown>
}
const problem = { type: 'about:blank', title: 'Not Found', status: 404, detail: 'None.' }
const ofJsonApi = { errors: [{ status: '404', title: 'None.' }] }

test.each<[string, unknown, string, string]>([
  ['an Error object', ofPlatform, 'not_found', 'None.'],
  ['problem details', problem, 'http_error', 'None.'],
  ['problem details with a code', { ...problem, code: 'no_tool' }, 'no_tool', 'None.'],
  ['an object in `error`', { error: { code: 'NO_TOOL', message: 'None.' } }, 'NO_TOOL', 'None.'],
  ['a name and a message', { error: 'Not Found', message: 'None.' }, 'Not Found', 'None.'],
  ['a message alone', { message: 'None.' }, 'http_error', 'None.'],
  ['a text in `error`', { error: 'None.' }, 'http_error', 'None.'],
  ['errors of JSON:API', ofJsonApi, 'http_error', 'None.'],
  ['a number as code', { code: 17, message: 'None.' }, 'http_error', 'None.'],
])('an operation with other errors reads any format: %s', async (_, body, code, message) => {
  const fetch = async () => Response.json(body, { status: 404, headers })
  const options = { baseUrl, apiKey, fetch, maxRetries: 0 }
  const find = { method: 'get', path: '/find', readError: readAnyError }
  const client = createClient<AnyErrors>(options, { find }, ApiError)
  const error = await reasonOf(client.find())
  expect(error).toMatchObject({ code, message, body, status: 404, requestId: 'request-1' })
})

test('a page that is not an array is an unexpected_response', async () => {
  const error = await failureOf(recordClient(() => Response.json({})).client.listTools())
  expect(error).toMatchObject({ code: 'unexpected_response', status: 200 })
})

test('a network error names the method, the path, the cause and the host, which it names once', async () => {
  const port = await findFreePort()
  for (const host of ['127.0.0.1', 'localhost']) {
    const baseUrl = `http://${host}:${port}/v2`
    const client = createToolLibrary({ baseUrl, apiKey, maxRetryDelay: 1 })
    const error = await failureOf(client.listTools())
    expect(error).toMatchObject({ operationId: 'listTools', code: 'network_error', attempts: 4 })
    expect(error.message).toMatch(/^GET \/tools: fetch failed: .*ECONNREFUSED/)
    expect(error.message.split(`${host}:${port}`)).toHaveLength(2)
    expect(error.status).toBeUndefined()
    expect(error.cause).toBeInstanceOf(TypeError)
    expect(error.cause).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNREFUSED' } })
    const raw = await failureOf(client.raw.GET('/tools'))
    expect(raw).toMatchObject({ operationId: 'GET /v2/tools', attempts: 4 })
    expect(raw.message).toMatch(/^GET \/v2\/tools: fetch failed: .*ECONNREFUSED/)
  }
})

test('a network error names the host to which middleware has sent the request', async () => {
  const { client } = recordClient(() => Promise.reject(new TypeError('Failed to fetch')))
  const call = () => failureOf(client.listTools({ limit: 3 }))
  expect((await call()).message).toBe('GET /tools: Failed to fetch (tools.example)')
  client.raw.use({
    onRequest: ({ request }) => new Request('https://other.example:8443/', request),
  })
  expect((await call()).message).toBe('GET /tools: Failed to fetch (other.example:8443)')
})

test('a 204 is undefined, from raw and with middleware too', async () => {
  const { client } = recordClient(() => new Response(null, { status: 204 }))
  expect(await client.getTool(1)).toBeUndefined()
  const { data, error, response } = await client.raw.GET('/tools')
  expect([data, error, response.status]).toEqual([undefined, undefined, 204])
  client.raw.use({ onRequest: () => undefined })
  expect(await client.getTool(1)).toBeUndefined()
})

test.each([
  ['another media type', new Response('[]', { headers: html })],
  ['a byte order mark', new Response('\uFEFF[]')],
])('JSON with %s is read', async (_, response) => {
  expect([...(await recordClient(() => response).client.listTools())]).toEqual([])
})
