import { expect, test } from 'vitest'
import { createClient } from '../../../client/client.ts'
import { ApiError } from '../../../client/errors.ts'
import type { CallResult } from '../../../client/types.ts'
import { apiKey, baseUrl } from './support/client.ts'

/** An API with operations that the fixture API does not have. */
interface Archive {
  readonly raw: unknown
  change(id: number, body: unknown, options?: object): Promise<unknown>
  archive(): Promise<unknown>
  find(): Promise<unknown> & CallResult
}

const operations = {
  change: { method: 'patch', path: '/a/{id}', body: 'application/merge-patch+json' },
  archive: { method: 'post', path: '/archive', empty: [202] },
  find: { method: 'get', path: '/find', empty: ['2XX'], redirects: [302] },
}

/** Creates a client whose requests all get one response, and are recorded. */
function createArchive(response: () => Response) {
  const requests: Request[] = []
  const fetch = async (request: Request) => {
    requests.push(request)
    return response()
  }
  const options = { baseUrl, apiKey, fetch, maxRetries: 0 }
  return { client: createClient<Archive>(options, operations, ApiError), requests }
}

test('a body is sent with the media type that is declared, or that of the call', async () => {
  const { client, requests } = createArchive(() => Response.json({ id: 1 }))
  expect(await client.change(1, { name: null })).toEqual({ id: 1 })

  await client.change(1, [], { headers: { 'Content-Type': 'application/json-patch+json' } })
  const types = requests.map(({ headers }) => headers.get('content-type'))
  expect(types).toEqual(['application/merge-patch+json', 'application/json-patch+json'])
})

test('a success that is declared without content is undefined, any other one without it an error', async () => {
  const accepted = createArchive(() => new Response(null, { status: 202 }))
  expect(await accepted.client.archive()).toBeUndefined()

  const created = createArchive(() => new Response(null, { status: 201 }))
  const error = { name: 'ApiError', code: 'unexpected_response', status: 201 }
  await expect(created.client.archive()).rejects.toMatchObject(error)
})

test('a redirect that is declared is a result, with its location; another one is an error', async () => {
  const headers = { Location: '/archive/7' }
  const found = createArchive(() => new Response(null, { status: 302, headers }))
  const { data, response } = await found.client.find().withResponse()
  expect([data, response.headers.get('location')]).toEqual([undefined, '/archive/7'])
  expect(found.requests).toHaveLength(1)

  const moved = createArchive(() => new Response(null, { status: 301, headers }))
  await expect(moved.client.find()).rejects.toMatchObject({ status: 301 })
})

test('every success of a range without content is undefined', async () => {
  const { client } = createArchive(() => new Response(null, { status: 206 }))
  expect(await client.find()).toBeUndefined()
})
