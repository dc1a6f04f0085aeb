import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../../client/client.ts'
import { ApiError } from '../../../client/errors.ts'
import type { PagedList } from '../../../client/types.ts'
import { startMockService } from '../../../server/commands/mock-service.ts'
import { readConfig } from '../../../server/config.ts'
import { readBundled } from '../../../server/description/description-reader.ts'
import { createApiKey } from '../../../server/security/api-key.ts'
import { type ClientOperation, readClientOperations } from '../../helpers/client-operations.ts'
import { bundleBesidePlatform, toApi } from '../../helpers/compiled-api.ts'

type Query = Readonly<Record<string, unknown>>
interface ListClient {
  readonly raw: unknown
  listVisits(query?: Query): PagedList<unknown, Query>
}

const items = [{ id: 1 }, { id: 2 }]
const envelope = {
  data: { items },
  next: 'abc',
  url: '/visits?cursor=abc',
  more: true,
  total: 40,
  pages: 20,
}
const page = {
  type: 'object',
  required: ['data'],
  properties: {
    data: {
      type: 'object',
      properties: { items: { type: 'array', items: { type: 'object' } } },
    },
    next: { type: ['string', 'null'] },
    url: { type: 'string' },
    more: { type: 'boolean' },
    total: { type: 'integer' },
    pages: { type: 'integer' },
  },
}
const integer = { type: 'integer', minimum: 0 }

/** Returns a description with a list in an envelope. */
function describe(pagination: object) {
  const content = { 'application/json': { schema: page, example: envelope } }
  return {
    openapi: '3.1.0',
    info: { title: 'Visits', version: '1.0.0' },
    servers: [{ url: '/v1' }],
    security: [],
    paths: {
      '/visits': {
        get: {
          operationId: 'listVisits',
          'x-redoclyPagination': { items: '/data/items', ...pagination },
          parameters: [
            { name: 'cursor', in: 'query', schema: { type: 'string' } },
            { name: 'page', in: 'query', schema: integer },
            { name: 'limit', in: 'query', schema: integer },
          ],
          responses: { 200: { description: 'A page.', content } },
        },
      },
    },
  }
}

test.for<readonly [name: string, pagination: object, pages: number]>([
  ['cursor', { style: 'cursor', cursorParam: 'cursor', nextCursor: '/next' }, 2],
  ['body-link', { style: 'body-link', nextLink: '/url' }, 1],
  ['offset', { style: 'offset', offsetParam: 'page', total: '/total' }, 1],
  ['offset without a total', { style: 'offset', offsetParam: 'page' }, 2],
  ['page', { style: 'page', offsetParam: 'page', totalPages: '/pages' }, 1],
  ['page with hasMore', { style: 'page', offsetParam: 'page', hasMore: '/more' }, 1],
])('the pages of the mock in an envelope end: %s', async ([, pagination, count]) => {
  const bundled = await bundleBesidePlatform(describe(pagination))
  const api = toApi(
    bundled,
    () => () => ({ status: 500, headers: {} }),
    () => ({}),
  )
  const config = readConfig({ PORT: '0', OPS_PORT: 'off' })
  const { origin, stop } = await startMockService(config, pino({ level: 'silent' }), api)
  onTestFinished(() => stop())

  const { listVisits } = readClientOperations(readBundled(bundled))
  // The entries have the names of the methods.
  const rows = { listVisits } as Readonly<Record<'listVisits', ClientOperation>>
  const options = { baseUrl: `${origin}/v1`, apiKey: createApiKey(), maxRetries: 0 }
  const list = createClient<ListClient>(options, rows, ApiError).listVisits()
  const pages = await Array.fromAsync(list.pages())
  expect(pages).toHaveLength(count)
  expect([...(pages[0] ?? [])]).toEqual(items)
  expect(pages.at(-1)?.next).toBeUndefined()
})
