import { expect, test } from 'vitest'
import type { AnyResponse } from '../../../server/contract/handler-response.ts'
import { respond } from '../../../server/contract/handler-response.ts'
import { startServiceOf } from '../../helpers/service.ts'
import { createSmallApi, type SmallOperation } from './support/small-api.ts'

const text = { schema: { type: 'string' } }
const number = { schema: { type: 'integer' } }
const problem = { schema: { type: 'object', required: ['title'] } }
const location = { Location: { required: true, schema: { type: 'string' } } }

/** Responses as a description declares them, one that a handler sends, and what its client gets. */
type Kind = readonly [
  what: string,
  responses: NonNullable<SmallOperation['responses']>,
  sent: AnyResponse,
  received: readonly [status: number, mediaType: string | null, body: string],
]

const wrong = 500

const kinds: readonly Kind[] = [
  [
    'a status of a range',
    { '2XX': { content: { 'application/json': text } } },
    respond(206, 'a'),
    [206, 'application/json', '"a"'],
  ],
  [
    'a status that is listed beside its range',
    { '2XX': { content: { 'application/json': text } }, 202: {} },
    respond(202),
    [202, null, ''],
  ],
  [
    'a default of success',
    { default: { content: { 'application/json': number } } },
    respond(201, 7),
    [201, 'application/json', '7'],
  ],
  [
    'a default of errors, in its own media type',
    { 204: {}, default: { content: { 'application/problem+json': problem } } },
    respond(418, { title: 'A teapot.' }),
    [418, 'application/problem+json', '{"title":"A teapot."}'],
  ],
  [
    '204 whose content is described',
    { 204: { content: { 'application/json': text } } },
    respond(204),
    [204, null, ''],
  ],
  ['205', { 205: {} }, respond(205), [205, null, '']],
  [
    '205 whose content is described',
    { 205: { content: { 'application/json': text } } },
    respond(205),
    [205, null, ''],
  ],
  ['200 without content', { 200: {} }, respond(200), [200, null, '']],
  ['200 with an empty map of content', { 200: { content: {} } }, respond(200), [200, null, '']],
  [
    'content without a schema',
    { 200: { content: { 'application/json': {} } } },
    respond(200, [null]),
    [200, 'application/json', '[null]'],
  ],
  [
    'content of any schema',
    { 200: { content: { 'application/json': { schema: true } } } },
    respond(200, null),
    [200, 'application/json', 'null'],
  ],
  [
    'a redirect',
    { 303: { headers: location } },
    respond(303, undefined, { Location: '/a?b=c' }),
    [303, null, ''],
  ],
  [
    'a type of JSON with a parameter',
    { 200: { content: { 'application/json; charset=utf-8': text } } },
    respond(200, 'é'),
    [200, 'application/json; charset=utf-8', '"é"'],
  ],
  [
    'a type that ends in +json',
    { 200: { content: { 'application/vnd.a+json': text } } },
    respond(200, 'a'),
    [200, 'application/vnd.a+json', '"a"'],
  ],
  [
    'any type',
    { 200: { content: { '*/*': text } } },
    respond(200, 'a'),
    [200, 'application/json', '"a"'],
  ],
  [
    'any type, of which the handler sends one',
    { 200: { content: { '*/*': text } } },
    respond(200, 'a', { 'Content-Type': 'application/hal+json' }),
    [200, 'application/hal+json', '"a"'],
  ],
]

test('a response without content has the length 0, but 204 and 304, which have no length', async () => {
  const lengths = { 200: '0', 204: null, 205: '0', 304: null }
  const operations = Object.keys(lengths).map((status): SmallOperation => {
    const handler = () => respond(Number(status))
    return { method: 'get', path: `/${status}`, responses: { [status]: {} }, handler }
  })
  const { send } = await startServiceOf(createSmallApi(operations, {}))
  for (const [status, length] of Object.entries(lengths)) {
    const response = await send(`/v1/${status}`)
    const received = [response.status, response.headers.get('content-length')]
    expect.soft(received).toEqual([Number(status), length])
  }
})

const invalid: readonly (readonly [string, Kind[1], AnyResponse])[] = [
  ['a status outside of the range', { '2XX': {} }, respond(302)],
  [
    'a body that does not fit the range',
    { '2XX': { content: { 'application/json': text } } },
    respond(201, 1),
  ],
  ['content where there is none', { 205: {} }, respond(205, 'a')],
  ['a redirect without a location', { 302: { headers: location } }, respond(302)],
  [
    'another media type',
    { 200: { content: { 'application/json': text } } },
    respond(200, 'a', { 'Content-Type': 'application/hal+json' }),
  ],
]

function toOperations(rows: readonly (readonly [string, Kind[1], AnyResponse, ...unknown[]])[]) {
  return rows.map(([, responses, sent], index): SmallOperation => {
    return { method: 'get', path: `/${index}`, responses, handler: () => sent }
  })
}

test('a response is sent as its status, its range or its default declares it', async () => {
  const { send } = await startServiceOf(createSmallApi(toOperations(kinds), {}))
  for (const [index, [what, , , received]] of kinds.entries()) {
    const response = await send(`/v1/${index}`, { redirect: 'manual' })
    const { status, headers } = response
    const got = [status, headers.get('content-type'), await response.text()]
    expect.soft(got, what).toEqual(received)
    // Chunked content without chunks would follow the header section.
    expect.soft(headers.get('transfer-encoding'), what).toBe(null)
  }
})

test('a response that its range or default does not allow is a 500', async () => {
  const { send } = await startServiceOf(createSmallApi(toOperations(invalid), {}))
  for (const [index, [what]] of invalid.entries()) {
    expect.soft((await send(`/v1/${index}`, { redirect: 'manual' })).status, what).toBe(wrong)
  }
})

test('each of these kinds has a sample where there is no handler', async () => {
  const operations = kinds.map(([, responses], index): SmallOperation => {
    return { method: 'get', path: `/${index}`, responses, handler: 'sampled' }
  })
  const { send } = await startServiceOf(createSmallApi(operations, {}))
  for (const [index, [what]] of kinds.entries()) {
    const { status } = await send(`/v1/${index}`, { redirect: 'manual' })
    expect.soft(status, what).toBeLessThan(400)
  }
})

const versions = {
  200: { content: { 'application/vnd.a.v1+json': text, 'application/vnd.a.v2+json': number } },
}

test('of several media types the handler gets the one that Accept prefers; 406 rules out all', async () => {
  const { send } = await startServiceOf(
    createSmallApi(
      [
        {
          method: 'get',
          path: '/a',
          responses: versions,
          handler: (_input, { acceptedMediaType }) =>
            respond(200, acceptedMediaType?.includes('v2') ? 2 : 'one'),
        },
        {
          method: 'get',
          path: '/b',
          responses: versions,
          handler: () => respond(200, 2, { 'Content-Type': 'application/vnd.a.v2+json' }),
        },
        { method: 'get', path: '/empty', responses: { 204: {} }, handler: () => respond(204) },
      ],
      {},
    ),
  )
  const ask = async (path: string, accept: string) => {
    const response = await send(path, { headers: { Accept: accept } })
    return [response.status, response.headers.get('content-type'), await response.text()]
  }
  const first = [200, 'application/vnd.a.v1+json', '"one"']
  const second = [200, 'application/vnd.a.v2+json', '2']
  expect(await ask('/v1/a', '*/*')).toEqual(first)
  expect(await ask('/v1/a', 'application/vnd.a.v2+json')).toEqual(second)
  expect(await ask('/v1/a', 'application/*;q=0.1, application/vnd.a.v2+json;q=0.2')).toEqual(second)
  expect(await ask('/v1/b', '*/*')).toEqual(second)
  expect((await ask('/v1/a', 'application/json'))[0]).toBe(406)
  expect((await ask('/v1/a', 'text/html'))[0]).toBe(406)
  expect((await ask('/v1/empty', 'text/html'))[0]).toBe(204)
})

const json = { schema: { type: 'object', required: ['a'] } }

test('a body has any media type of JSON that is declared, and the handler gets it', async () => {
  const response = { content: { 'application/json': {} } }
  const operation = (path: string, requestBody: object, method = 'post'): SmallOperation => {
    return {
      method,
      path,
      requestBody,
      response,
      handler: ({ mediaType, body }) => respond(200, [mediaType ?? null, body ?? null]),
    }
  }
  const { send } = await startServiceOf(
    createSmallApi(
      [
        operation('/any', { content: { '*/*': json } }),
        operation('/ranges', { content: { '*/*': json, 'application/*': text } }),
        operation('/of-type', { required: true, content: { 'application/*': json } }),
        operation('/two', {
          content: { 'application/json': json, 'application/vnd.a+json': text },
        }),
        operation('/with-parameter', { content: { 'application/json;charset=utf-8': json } }),
        operation('/deleted', { content: { 'application/json': json } }, 'delete'),
      ],
      {},
    ),
  )
  const ask = async (path: string, type: string, body?: unknown, method = 'POST') => {
    const content = body === undefined ? {} : { body: JSON.stringify(body) }
    const headers = body === undefined ? {} : { 'Content-Type': type }
    const response = await send(`/v1${path}`, { method, headers, ...content })
    return response.ok ? response.json() : response.status
  }
  expect(await ask('/any', 'application/vnd.b+json', { a: 1 })).toEqual([
    'application/vnd.b+json',
    { a: 1 },
  ])
  expect(await ask('/any', 'application/json', {})).toBe(400)
  expect(await ask('/any', 'text/plain', { a: 1 })).toBe(415)
  expect(await ask('/any', '')).toEqual([null, null])
  // The narrowest range decides, wherever it stands.
  expect(await ask('/ranges', 'application/json', 'a')).toEqual(['application/json', 'a'])
  expect(await ask('/of-type', 'application/json; charset=utf-8', { a: 1 })).toEqual([
    'application/json',
    { a: 1 },
  ])
  expect(await ask('/of-type', 'text/json', { a: 1 })).toBe(415)
  expect(await ask('/of-type', '')).toBe(400)
  expect(await ask('/two', 'application/vnd.a+json', 'a')).toEqual(['application/vnd.a+json', 'a'])
  expect(await ask('/two', 'application/vnd.a+json', { a: 1 })).toBe(400)
  expect(await ask('/two', 'application/vnd.b+json', { a: 1 })).toBe(415)
  expect(await ask('/with-parameter', 'application/json', { a: 1 })).toEqual([
    'application/json;charset=utf-8',
    { a: 1 },
  ])
  expect(await ask('/deleted', 'application/json', { a: 1 }, 'DELETE')).toEqual([
    'application/json',
    { a: 1 },
  ])
})

test('the header Allow and the media types of a 415 are those that are read', async () => {
  const { send } = await startServiceOf(
    createSmallApi(
      [
        {
          method: 'post',
          path: '/any',
          requestBody: { content: { '*/*': json } },
          responses: { 204: {} },
          handler: () => respond(204),
        },
      ],
      {},
    ),
  )
  const response = await send('/v1/any', {
    method: 'POST',
    headers: { 'Content-Type': 'text/csv' },
    body: 'a,b',
  })
  expect([response.status, response.headers.get('accept')]).toEqual([
    415,
    'application/json, application/*+json',
  ])
})

test('a header with content is sent as JSON, and names of the service have no case', async () => {
  const headers = {
    'X-Facts': { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
    'X-Text': { content: { 'application/json': text } },
    'x-request-id': { required: true, schema: { type: 'string' } },
  }
  const { send } = await startServiceOf(
    createSmallApi(
      [
        {
          method: 'get',
          path: '/a',
          responses: { 204: { headers } },
          handler: () => respond(204, undefined, { 'X-Facts': { a: 'é,1' }, 'X-Text': 'b' }),
        },
        {
          method: 'get',
          path: '/wrong',
          responses: { 204: { headers } },
          handler: () => respond(204, undefined, { 'X-Facts': 'a' }),
        },
        { method: 'get', path: '/sampled', responses: { 204: { headers } }, handler: 'sampled' },
      ],
      {},
    ),
  )
  const { status, headers: sent } = await send('/v1/a')
  expect(status).toBe(204)
  expect(JSON.parse(String(sent.get('x-facts')))).toEqual({ a: 'é,1' })
  expect(sent.get('x-text')).toBe('"b"')
  expect((await send('/v1/wrong')).status).toBe(500)
  expect((await send('/v1/sampled')).status).toBe(204)
})
