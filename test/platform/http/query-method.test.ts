import { setupServer } from 'msw/node'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../../client/client.ts'
import { createApiMockHandlers } from '../../../client/mock-handlers.ts'
import { readBundled } from '../../../server/description/description-reader.ts'
import { ToolLibraryError } from '../../fixture-api/client.ts'
import { readClientOperations } from '../../helpers/client-operations.ts'
import { bundleBesidePlatform, toApi } from '../../helpers/compiled-api.ts'
import { startServiceOf } from '../../helpers/service.ts'

const json = (schema: object, example: unknown) => ({ 'application/json': { schema, example } })
const query = { type: 'object', required: ['words'], properties: { words: { type: 'string' } } }
const ok = { 200: { summary: 'Found.', content: json({ type: 'array' }, []) } }
const description = {
  openapi: '3.2.0',
  info: { title: 'A', version: '1.0.0' },
  servers: [{ url: '/v1' }],
  security: [{ apiKey: [] }],
  paths: {
    '/books': {
      query: {
        operationId: 'searchBooks',
        requestBody: { required: true, content: json(query, { words: 'a' }) },
        responses: ok,
      },
    },
  },
  components: { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } } },
}

const bundled = await bundleBesidePlatform(description, {}, afterAll)
const { searchBooks } = readClientOperations(readBundled(bundled))

/** The client of the API. */
interface Books {
  searchBooks(body: object): Promise<unknown>
  readonly raw: unknown
}

function createBooks(
  baseUrl: string,
  apiKey: string,
  fetch: (request: Request) => Promise<Response>,
) {
  if (searchBooks === undefined) {
    throw new Error('the client has no searchBooks')
  }
  return createClient<Books>({ baseUrl, apiKey, fetch }, { searchBooks }, ToolLibraryError)
}

test('QUERY is served with its body, is listed in Allow and for pages of other origins, and has no HEAD', async () => {
  const api = toApi(bundled, () => ({ body }) => ({ status: 200, body: [body] }))
  const origin = 'https://app.example'
  const service = await startServiceOf(api, { CORS_ORIGINS: origin })
  const { baseUrl, apiKey, judgedFetch, ask } = service
  const client = createBooks(baseUrl, apiKey, judgedFetch)
  expect(await client.searchBooks({ words: 'saws' })).toEqual([{ words: 'saws' }])
  await expect(client.searchBooks({})).rejects.toMatchObject({ status: 400 })

  const allow = 'OPTIONS, QUERY'
  expect(await ask('/v1/books')).toMatchObject({ status: 405, allow })
  expect(await ask('/v1/books', { method: 'HEAD' })).toMatchObject({ status: 405, allow })
  const headers = { Origin: origin, 'Access-Control-Request-Method': 'QUERY' }
  expect(await ask('/v1/books', { method: 'OPTIONS', key: '', headers })).toMatchObject({
    status: 204,
    'access-control-allow-methods': allow,
  })
})

test('a client repeats QUERY, which is safe', async () => {
  let sent = 0
  const client = createBooks('https://books.example/v1', 'a_key', async () => {
    sent++
    return sent === 1 ? Response.json({}, { status: 503 }) : Response.json([])
  })
  expect(await client.searchBooks({ words: 'saws' })).toEqual([])
  expect(sent).toBe(2)
})

test('the mock handlers of a client respond to QUERY', async () => {
  const api = {
    operations: { searchBooks: { method: 'query', path: '/books' } },
    examples: { searchBooks: { 200: { headers: {}, bodies: { example: ['A book'] } } } },
  }
  const baseUrl = 'https://books.example/v1'
  const server = setupServer(...createApiMockHandlers(api, baseUrl, {}))
  server.listen()
  onTestFinished(() => server.close())
  const response = await fetch(`${baseUrl}/books`, { method: 'QUERY', body: '{}' })
  expect(await response.json()).toEqual(['A book'])
})
