import { expect, test } from 'vitest'
import { respond } from '../../../server/contract/handler-response.ts'
import { startServiceOf } from '../../helpers/service.ts'
import { createSmallApi, type SmallOperation } from '../validation/support/small-api.ts'

const text = { schema: { type: 'string' } }

/** Starts a service whose handlers send what they get as `acceptedMediaType`, as the types in the path say. */
function start(rows: readonly (readonly [string, object, SmallOperation['handler']])[]) {
  const operations = rows.map(([path, content, handler]): SmallOperation => {
    return { method: 'get', path, response: { content }, handler }
  })
  return startServiceOf(createSmallApi(operations, {}))
}

test('every declared media type takes part in Accept, and the handler gets the preferred one', async () => {
  const { send } = await start([
    [
      '/book',
      { 'text/csv': text, 'application/json': text, 'image/*': {} },
      (_input, { acceptedMediaType = '' }) => {
        const isJson = acceptedMediaType.endsWith('json')
        const headers = isJson ? {} : { 'Content-Type': acceptedMediaType }
        return respond(200, acceptedMediaType, headers)
      },
    ],
  ])
  const rows: readonly (readonly [accept: string, mediaType: string])[] = [
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    ['text/csv', 'text/csv; charset=utf-8'],
    ['text/csv;q=0.5, application/json;q=0.4', 'text/csv; charset=utf-8'],
    ['text/*, application/json;q=0.9', 'text/csv; charset=utf-8'],
    ['image/webp', 'image/webp'],
    ['image/png;q=0.1, image/webp;q=0.2', 'image/webp'],
    ['text/csv;q=0.1, image/avif, */*;q=0.01', 'image/avif'],
  ]
  for (const [accept, mediaType] of rows) {
    const response = await send('/v1/book', { headers: { Accept: accept } })
    expect
      .soft([response.status, response.headers.get('content-type')], accept)
      .toEqual([200, mediaType])
    const [withoutCharset = ''] = mediaType.split(';')
    expect.soft(await response.text(), accept).toContain(withoutCharset)
  }
  for (const accept of ['text/html', 'audio/*', 'application/json;q=0', 'image/png;q=0']) {
    expect.soft((await send('/v1/book', { headers: { Accept: accept } })).status).toBe(406)
  }
})

test('JSON is sent unless the handler states another type; without JSON, the preferred type is', async () => {
  const { send } = await start([
    ['/with-json', { 'text/csv': text, 'application/json': text }, () => respond(200, 'a')],
    ['/texts', { 'text/csv': text, 'text/plain': text }, () => respond(200, 'a')],
    ['/text-or-image', { 'image/*': {}, 'text/plain': text }, () => respond(200, 'a')],
    ['/any', { '*/*': {} }, () => respond(200, Buffer.from('a'))],
    ['/any-value', { '*/*': {} }, () => respond(200, ['a'])],
  ])
  const rows: readonly (readonly [path: string, accept: string, mediaType: string])[] = [
    ['/with-json', 'text/csv', 'application/json'],
    ['/texts', '*/*', 'text/csv; charset=utf-8'],
    ['/texts', 'text/plain', 'text/plain; charset=utf-8'],
    ['/texts', 'text/plain;q=0.1, text/csv;q=0.2', 'text/csv; charset=utf-8'],
    ['/text-or-image', 'image/png, text/plain;q=0.5', 'text/plain; charset=utf-8'],
    ['/any', 'image/png', 'application/octet-stream'],
    ['/any-value', '*/*', 'application/json'],
  ]
  for (const [path, accept, mediaType] of rows) {
    const response = await send(`/v1${path}`, { headers: { Accept: accept } })
    const got = [response.status, response.headers.get('content-type')]
    expect.soft(got, `${path} ${accept}`).toEqual([200, mediaType])
    // Caches keep a response of each type.
    const vary = path.startsWith('/any') ? null : 'Accept'
    expect.soft(response.headers.get('vary'), path).toBe(vary)
  }
  expect((await send('/v1/texts', { headers: { Accept: 'text/html' } })).status).toBe(406)
})

test('a response that depends on Accept and Origin names both in Vary', async () => {
  const handler = () => respond(200, 'a')
  const content = { 'text/csv': text, 'text/plain': text }
  const response = { content }
  const operation = { method: 'get', path: '/texts', response, handler } as const
  const environment = { CORS_ORIGINS: 'https://app.example' }
  const { send } = await startServiceOf(createSmallApi([operation], {}), environment)
  const { headers } = await send('/v1/texts', { headers: { Origin: 'https://app.example' } })
  const names = (headers.get('vary') ?? '').split(', ')
  expect(names.toSorted()).toEqual(['Accept', 'Origin'])
})
