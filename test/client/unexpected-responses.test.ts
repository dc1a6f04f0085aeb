import { expect, test } from 'vitest'
import { emptyPage, respond, sendRaw, startScriptedStore } from './support/scripted-server.ts'
import { failureOf, json, watch } from './support/watched-store.ts'

const rex = { name: 'Rex', categoryId: 7 }
const page = '<html><body><h1>Bad gateway</h1></body></html>'
const html = { 'Content-Type': 'text/html' }
const asJson = { 'Content-Type': 'application/json' }
const body = { code: 'not_found', message: 'There is none.', status: 404 }

test.each([500, 502, 503, 504])(
  'an HTML page with %i is retried, then reported',
  async (status) => {
    const { store, requests } = await startScriptedStore([respond(status, page, html)])
    const error = await failureOf(store.createPet(rex))
    expect(error).toMatchObject({ code: 'unexpected_response', status, attempts: 4 })
    expect(requests).toHaveLength(4)
  },
)

test.each([
  ['an HTML error page', new Response(page, { status: 404, headers: html }), 404, 'text/html'],
  ['an error without a body', new Response(null, { status: 404 }), 404, 'null'],
  ['an error that is a string', json('not found', { status: 404 }), 404, 'application/json'],
  ['an error that is null', json(null, { status: 404 }), 404, 'application/json'],
  ['an error without code', json({ message: 'No.' }, { status: 404 }), 404, 'application/json'],
  ['an error without message', json({ code: 'no' }, { status: 404 }), 404, 'application/json'],
  ['a code that is a number', json({ ...body, code: 5 }, { status: 404 }), 404, 'application/json'],
  ['a 200 that is HTML', new Response(page, { headers: html }), 200, 'text/html'],
  ['a 200 without a body', new Response(null, { headers: html }), 200, 'text/html'],
  ['a 304', new Response(null, { status: 304 }), 304, 'null'],
])('%s is an unexpected_response', async (_, response, status, type) => {
  const error = await failureOf(watch(() => response).store.getPet(1))
  expect(error).toMatchObject({
    name: 'AnimalStoreError',
    code: 'unexpected_response',
    operationId: 'getPet',
    status,
    details: [],
    attempts: 1,
  })
  for (const part of ['getPet', `${status}`, type]) expect(error.message).toContain(part)
})

test.each([
  ['an HTML page', respond(200, page, html)],
  ['an HTML page declared as JSON', respond(200, page, asJson)],
  ['truncated JSON', respond(200, '[{"id":1,"name":"Re', asJson)],
  ['two JSON values', respond(200, '[][]', asJson)],
  ['the text NaN', respond(200, 'NaN', asJson)],
  ['the text undefined', respond(200, 'undefined', asJson)],
  ['an empty body of length 0', respond(200, '', asJson)],
  [
    'an empty chunked body',
    sendRaw('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
  ],
  ['an empty body until close', sendRaw('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n')],
  ['JSON cut off by close', sendRaw('HTTP/1.1 200 OK\r\n\r\n[{"id":')],
  ['bytes that are not UTF-8', respond(200, Buffer.from([0x5b, 0xff, 0xfe, 0x5d]), asJson)],
])('%s with 200 is an unexpected_response of every method', async (_, behaviour) => {
  const { store, requests } = await startScriptedStore([behaviour])
  const calls = [() => store.listPets(), () => store.getPet(1), () => store.createPet(rex)]
  for (const call of calls) {
    const error = await failureOf(call())
    expect(error).toMatchObject({ code: 'unexpected_response', status: 200, attempts: 1 })
  }
  expect(requests).toHaveLength(3)
})

test.each([301, 302, 303, 307, 308])('a redirect with %i is not followed', async (status) => {
  const redirect = respond(status, '', { Location: '/v1/pets' })
  const { store, requests } = await startScriptedStore([redirect, emptyPage])
  const error = await failureOf(store.createPet(rex))
  expect(error).toMatchObject({ code: 'unexpected_response', status, attempts: 1 })
  expect(requests).toHaveLength(1)
})

test('a list that is an object or 204 is an unexpected_response', async () => {
  for (const response of [json({ items: [] }), new Response(null, { status: 204 })]) {
    const { status } = response
    const error = await failureOf(watch(() => response).store.listPets())
    expect(error).toMatchObject({ code: 'unexpected_response', status, attempts: 1 })
  }
})

test('a 204 is undefined, from raw and with middleware too', async () => {
  const { store } = await startScriptedStore([sendRaw('HTTP/1.1 204 No Content\r\n\r\n')])
  expect(await store.getPet(1)).toBeUndefined()
  const { data, error, response } = await store.raw.GET('/pets')
  expect([data, error, response.status]).toEqual([undefined, undefined, 204])
  store.raw.use({ onRequest: () => undefined })
  expect(await store.getPet(1)).toBeUndefined()
})

test.each([
  ['another media type', respond(200, '[]', html)],
  ['no media type', respond(200, '[]')],
  ['a byte order mark', respond(200, '\uFEFF[]', asJson)],
  ['white space', respond(200, '\r\n [] \r\n', asJson)],
  ['no length', sendRaw('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n[]')],
  [
    'early hints',
    sendRaw('HTTP/1.1 103 Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]'),
  ],
])('JSON with %s is read', async (_, behaviour) => {
  const { store } = await startScriptedStore([behaviour])
  expect([...(await store.listPets())]).toEqual([])
})

test.each([null, 'none', { path: '/a' }, 5])('details that are %j become []', async (details) => {
  const { store } = watch(() => json({ ...body, details }, { status: 404 }))
  expect(await failureOf(store.getPet(1))).toMatchObject({ code: 'not_found', details: [] })
})

test.each([
  ['absent', {}],
  ['not numbers', { 'Retry-After': 'soon', 'X-RateLimit-Limit': 'many' }],
  ['of another form', { 'Retry-After': '-1', 'X-RateLimit-Remaining': '1.5' }],
])('header fields that are %s are undefined in the error', async (_, headers) => {
  const { store } = watch(() => json(body, { status: 404, headers }))
  const { code, requestId, retryAfter, rateLimit } = await failureOf(store.getPet(1))
  expect(code).toBe('not_found')
  expect([requestId, retryAfter, rateLimit]).toEqual([undefined, undefined, undefined])
})
