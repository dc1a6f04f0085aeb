import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../../client/client.ts'
import { ApiError } from '../../../client/errors.ts'
import { writeForm, writeMultipart } from '../../../client/forms.ts'
import { uploadRules } from '../../../client/request-content.ts'
import { prepareUpload, writeBytes, writeJson, writeText } from '../../../client/uploads.ts'
import { apiKey, baseUrl, fail, lost, type Respond, reasonOf } from './support/client.ts'

type Send = (body?: unknown, options?: object) => Promise<unknown>

interface Shelf {
  readonly raw: unknown
  putPhoto: Send
  postPhoto: Send
  putAny: Send
  putXml: Send
  search: Send
  postAlbum: Send
  postEither: Send
}

const prepare = prepareUpload
const photo = { 'image/png': { write: writeBytes } }
const album = {
  write: writeMultipart,
  fields: {
    cover: { content: 'file' },
    pages: { content: 'file', type: 'image/png', list: true },
    meta: { content: 'json', type: 'application/json' },
    tags: { content: 'json' },
  },
} as const
const either = {
  'application/json': { write: writeJson },
  'text/csv': { write: writeText },
  'image/*': { write: writeBytes },
  'image/svg+xml': { write: writeText },
}
const body = true
const operations = {
  putPhoto: { method: 'put', path: '/a', body, upload: { contents: photo, prepare } },
  postPhoto: { method: 'post', path: '/a', body, upload: { contents: photo, prepare } },
  putAny: {
    method: 'put',
    path: '/a',
    body,
    upload: { contents: { '*/*': { write: writeBytes } }, prepare },
  },
  putXml: {
    method: 'put',
    path: '/a',
    body,
    upload: { contents: { 'application/xml': { write: writeText } }, prepare },
  },
  search: {
    method: 'post',
    path: '/a',
    body,
    upload: {
      contents: {
        'application/x-www-form-urlencoded': {
          write: writeForm,
          styles: { 'query ids': 'form', 'query filter': 'deepObject*', 'query raw': 'json' },
        },
      },
      prepare,
    },
  },
  postAlbum: {
    method: 'post',
    path: '/a',
    body,
    upload: { contents: { 'multipart/form-data': album }, prepare },
  },
  postEither: {
    method: 'post',
    path: '/a',
    body,
    options: [uploadRules],
    upload: { contents: either, prepare },
  },
} as const

/** Creates a client whose requests are recorded, with the media type and the bytes of their bodies. */
function createShelf(...script: readonly Respond[]) {
  const sent: (readonly [type: string | null, body: string])[] = []
  const requests: Request[] = []
  const fetch = async (request: Request) => {
    const respond = script[requests.push(request.clone()) - 1]
    sent.push([request.headers.get('content-type'), await request.text()])
    return respond?.(request, requests.length) ?? Response.json({})
  }
  const options = { baseUrl, apiKey, maxRetryDelay: 0, fetch }
  return { client: createClient<Shelf>(options, operations, ApiError), sent, requests }
}

const streamOf = (text: string) => new Blob([text]).stream()

test('bytes are sent as they are, with the media type of the contract', async () => {
  const { client, sent } = createShelf()
  const bytes = new TextEncoder().encode('abc')
  for (const given of [new Blob(['abc']), bytes, bytes.buffer, streamOf('abc')]) {
    await client.putPhoto(given)
  }
  expect(sent).toEqual(Array(4).fill(['image/png', 'abc']))
  expect(await reasonOf(client.putPhoto({ a: 1 }))).toMatchObject({
    name: 'TypeError',
    message: 'A body of image/png must be a Blob, bytes or a ReadableStream.',
  })
})

test('content of any type has that of its Blob', async () => {
  const { client, sent } = createShelf()
  await client.putAny(new Blob(['a'], { type: 'audio/ogg' }))
  await client.putAny(streamOf('b'))
  await client.putAny()
  expect(sent).toEqual([
    ['audio/ogg', 'a'],
    ['application/octet-stream', 'b'],
    [null, ''],
  ])
})

test('a text is sent as it is', async () => {
  const { client, sent } = createShelf()
  await client.putXml('<a>ë</a>')
  expect(sent).toEqual([['application/xml', '<a>ë</a>']])
  expect(await reasonOf(client.putXml({}))).toBeInstanceOf(TypeError)
})

test('of several media types, the usual one, that of a Blob or that of the call is sent', async () => {
  const { client, sent } = createShelf()
  await client.postEither({ a: 1 })
  await client.postEither('a,b', { contentType: 'text/csv' })
  await client.postEither(new Blob(['a'], { type: 'image/gif' }))
  await client.postEither(streamOf('b'), { contentType: 'image/webp' })
  await client.postEither('<svg/>', { contentType: 'image/svg+xml' })
  expect(sent).toEqual([
    ['application/json', '{"a":1}'],
    ['text/csv', 'a,b'],
    ['image/gif', 'a'],
    ['image/webp', 'b'],
    ['image/svg+xml', '<svg/>'],
  ])
  const wrong = await reasonOf(client.postEither('a', { contentType: 'text/html' }))
  expect(wrong).toMatchObject({
    message:
      'The body has no media type text/html. Allowed: application/json, text/csv, image/*, image/svg+xml.',
  })
})

test('the fields of a form are written in their styles', async () => {
  const { client, sent } = createShelf()
  await client.search({
    text: 'a & ë',
    tags: ['a', 'b'],
    ids: [1, 2],
    filter: { from: 1 },
    raw: { a: 1 },
    none: undefined,
  })
  const query = [
    'text=a%20%26%20%C3%AB',
    'tags=a',
    'tags=b',
    'ids=1,2',
    'filter%5Bfrom%5D=1',
    'raw=%7B%22a%22%3A1%7D',
  ]
  expect(sent).toEqual([['application/x-www-form-urlencoded', query.join('&')]])
  expect(await reasonOf(client.search('a=1'))).toBeInstanceOf(TypeError)
})

test('fields and files are parts with their names and media types', async () => {
  const { client, requests } = createShelf()
  await client.postAlbum({
    title: 'Å',
    count: 2,
    cover: new File(['c'], 'cover.png', { type: 'image/png' }),
    pages: [
      new Blob(['p']),
      new File(['f'], 'f.png'),
      { content: 'q', name: 'q.gif', type: 'image/gif' },
    ],
    meta: { a: [1] },
    tags: ['x', 'y'],
    none: undefined,
  })
  const form = (await requests[0]?.formData()) ?? new FormData()
  const parts = await Promise.all(
    Array.from(form, async ([name, value]) => {
      return typeof value === 'string'
        ? [name, value]
        : [name, value.name, value.type, await value.text()]
    }),
  )
  expect(parts).toEqual([
    ['title', 'Å'],
    ['count', '2'],
    ['cover', 'cover.png', 'image/png', 'c'],
    ['pages', 'blob', 'image/png', 'p'],
    ['pages', 'f.png', 'image/png', 'f'],
    ['pages', 'q.gif', 'image/gif', 'q'],
    ['meta', 'blob', 'application/json', '{"a":[1]}'],
    ['tags', '["x","y"]'],
  ])
  const wrong = await reasonOf(client.postAlbum({ cover: 7 }))
  expect(wrong).toMatchObject({
    message: 'cover must be a file: a Blob, or { content, name, type }.',
  })
})

test('a body is sent again after a failure, except for a stream', async () => {
  const again = createShelf(lost, fail(503))
  await again.client.putPhoto(new Blob(['abc']))
  expect(again.sent).toEqual(Array(3).fill(['image/png', 'abc']))

  const once = createShelf(fail(503))
  expect(await reasonOf(once.client.putPhoto(streamOf('abc')))).toMatchObject({ status: 503 })
  expect(once.sent).toHaveLength(1)

  const unsafe = createShelf(fail(503))
  expect(await reasonOf(unsafe.client.postPhoto(new Blob(['abc'])))).toMatchObject({ attempts: 1 })
})

test('a stream is sent over a connection while it is read', async () => {
  const server = createServer(async (request, response) => {
    const content = await buffer(request)
    const { 'transfer-encoding': coding, 'content-type': type } = request.headers
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ bytes: content.length, coding, type }))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')

  const { port } = server.address() as AddressInfo
  const options = { baseUrl: `http://127.0.0.1:${port}`, apiKey }
  const client = createClient<Shelf>(options, operations, ApiError)
  let left = 50
  const stream = new ReadableStream({
    pull(controller) {
      left--
      left < 0 ? controller.close() : controller.enqueue(new Uint8Array(100_000))
    },
  })
  expect(await client.putPhoto(stream)).toEqual({
    bytes: 5_000_000,
    coding: 'chunked',
    type: 'image/png',
  })
  // The length of a Blob is known.
  expect(await client.putPhoto(new Blob(['abc']))).toEqual({ bytes: 3, type: 'image/png' })
})
