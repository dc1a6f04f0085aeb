import { expect, test } from 'vitest'
import { createClient } from '../../../client/client.ts'
import { readDeclared } from '../../../client/declared-responses.ts'
import { ApiError } from '../../../client/errors.ts'
import { cookieRules, writeStyled } from '../../../client/styled-parameters.ts'
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
  change: {
    method: 'patch',
    path: '/a/{id}',
    parameters: { styles: {}, write: writeStyled },
    options: [cookieRules],
    body: 'application/merge-patch+json',
  },
  archive: { method: 'post', path: '/archive', responses: { empty: [202], read: readDeclared } },
  find: {
    method: 'get',
    path: '/find',
    responses: { empty: ['2XX'], redirects: [302], read: readDeclared },
  },
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

test('only an operation with parameters in cookies has the option for them', async () => {
  const { client, requests } = createArchive(() => Response.json({}))
  await client.change(1, {}, { cookies: { shelf: 'a b' } })
  expect(requests.map(({ headers }) => headers.get('cookie'))).toEqual(['shelf=a%20b'])

  const other = Reflect.apply(client.find, client, [{ cookies: { shelf: 7 } }])
  await expect(other).rejects.toThrow('find has no option cookies. Allowed: headers, ')
  const wrong = client.change(1, {}, { cookies: 'shelf=7' })
  await expect(wrong).rejects.toThrow('cookies must be an object')
})

test.each([
  ['Headers', new Headers({ 'X-A': '1', 'X-B': 'a, b' })],
  ['pairs', Object.entries({ 'X-A': '1', 'X-B': 'a, b' })],
  ['pairs of one name', ['1', 'a', 'b'].map((text, at) => [at === 0 ? 'X-A' : 'X-B', text])],
])('header fields may be %s', async (_, headers) => {
  const { client, requests } = createArchive(() => Response.json({}))
  // With parameters of other styles, and without.
  await client.change(1, {}, { headers })
  await Reflect.apply(client.find, client, [{ headers }])
  const sent = requests.map(({ headers }) => [headers.get('x-a'), headers.get('x-b')])
  expect(sent).toEqual(Array(2).fill(['1', 'a, b']))
})
