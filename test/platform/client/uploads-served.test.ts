import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createClient } from '../../../client/client.ts'
import { ApiError } from '../../../client/errors.ts'
import type { CallableHandler } from '../../../server/contract/handler.ts'
import { respond } from '../../../server/contract/handler-response.ts'
import { readBundled } from '../../../server/description/description-reader.ts'
import { toObject } from '../../../server/description/json.ts'
import { readClientOperations } from '../../helpers/client-operations.ts'
import { startServiceOf } from '../../helpers/service.ts'
import { createSmallApi, type SmallOperation } from '../validation/support/small-api.ts'

interface Uploads {
  readonly raw: unknown
  operation0(body: unknown): Promise<unknown>
  operation1(body: unknown): Promise<unknown>
  operation2(body: unknown): Promise<unknown>
}

const string = { type: 'string' }
const file = { type: 'string', format: 'binary' }
const numbers = { type: 'array', items: { type: 'integer' } }
const album = { title: string, cover: file, pages: { type: 'array', items: file }, ids: numbers }
const contents = {
  'image/png': {},
  'application/x-www-form-urlencoded': {
    schema: { type: 'object', properties: { title: string, ids: numbers } },
  },
  'multipart/form-data': { schema: { type: 'object', properties: album } },
}

/** Returns what a handler receives, as JSON: files and streams by their content. */
async function toJson(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) {
    return Promise.all(value.map(toJson))
  }
  const { name, mediaType, stream } = toObject(value)
  if (typeof stream === 'function') {
    const content = await text(Reflect.apply(stream, value, []))
    return { name, mediaType, content }
  }
  if (typeof value !== 'object' || value === null) {
    return value
  }
  const members = Object.entries(value).map(async ([key, each]) => [key, await toJson(each)])
  return Object.fromEntries(await Promise.all(members))
}

const echo: CallableHandler = async (input) => {
  const { body, mediaType } = toObject(input)
  const isBytes = mediaType === 'image/png'
  return respond(200, isBytes ? await text(body as NodeJS.ReadableStream) : await toJson(body))
}

test('the service receives bytes, forms and files as the client sends them', async () => {
  const operations = Object.entries(contents).map(([mediaType, media], index) => {
    const requestBody = { required: true, content: { [mediaType]: media } }
    const response = { content: { 'application/json': { schema: {} } } }
    return {
      method: 'put',
      path: `/${index}`,
      requestBody,
      response,
      handler: echo,
    } as SmallOperation
  })
  const api = createSmallApi(operations, {}, '/v1', '3.1.0')
  const { origin, apiKey } = await startServiceOf(api)
  const options = { baseUrl: `${origin}/v1`, apiKey }
  const rows = readClientOperations(readBundled(api.description))
  const client = createClient<Uploads>(options, rows, ApiError)

  expect(await client.operation0(new Blob(['abc']))).toBe('abc')
  expect(await client.operation0(new Blob(['abc']).stream())).toBe('abc')
  expect(await client.operation1({ title: 'a & ë', ids: [1, 2] })).toEqual({
    title: 'a & ë',
    ids: [1, 2],
  })
  const cover = { content: 'c', name: 'ë.png', type: 'image/png' }
  const sent = {
    title: 'Å',
    cover,
    pages: [new File(['p'], 'p.gif', { type: 'image/gif' })],
    ids: [1, 2],
  }
  expect(await client.operation2(sent)).toEqual({
    title: 'Å',
    cover: { name: 'ë.png', mediaType: 'image/png', content: 'c' },
    pages: [{ name: 'p.gif', mediaType: 'image/gif', content: 'p' }],
    ids: [1, 2],
  })
})

test('the service receives the values of lines that the client sends as a list, an iterable or bytes', async () => {
  const item = { type: 'object', properties: { n: { type: 'integer' } } }
  const handler: CallableHandler = async ({ body }) =>
    respond(200, await Array.fromAsync(body as AsyncIterable<unknown>))
  const operations = ['application/jsonl', 'application/json-seq'].map((mediaType, index) => {
    const requestBody = { required: true, content: { [mediaType]: { 'x-item-schema': item } } }
    const response = { content: { 'application/json': { schema: {} } } }
    return { method: 'put', path: `/${index}`, requestBody, response, handler } as SmallOperation
  })
  const api = createSmallApi(operations, {}, '/v1', '3.1.0')
  const { origin, apiKey } = await startServiceOf(api)
  const rows = readClientOperations(readBundled(api.description))
  const client = createClient<Uploads>({ baseUrl: `${origin}/v1`, apiKey }, rows, ApiError)
  async function* count() {
    yield { n: 1 }
    yield { n: 2 }
  }

  for (const call of [client.operation0, client.operation1]) {
    expect(await call([{ n: 1 }, { n: 2 }])).toEqual([{ n: 1 }, { n: 2 }])
    expect(await call(count())).toEqual([{ n: 1 }, { n: 2 }])
    expect(await call([])).toEqual([])
    await expect(call([{ n: 1 }, { n: 'two' }])).rejects.toMatchObject({
      status: 400,
      details: [{ path: '/body/1/n', message: 'must be an integer' }],
    })
  }
  expect(await client.operation0(new Blob(['{"n":3}\n']))).toEqual([{ n: 3 }])
  await expect(client.operation0('{"n":3}\n')).rejects.toThrow('must be a Blob')
})
