import { expect, test } from 'vitest'
import { startTestService } from '../helpers/service.ts'
import { fail, failureOf, json, rex, watch, watchService } from './support/client.ts'
import { emptyPage, respond, startScriptedStore } from './support/scripted-server.ts'

test('rejections of the service have their code, details, request id and limit', async () => {
  const service = await startTestService()
  const { store } = watchService(service)
  const invalid = await failureOf(store.createPet({ name: '', categoryId: 0.5 }))
  expect(invalid).toMatchObject({ status: 400, code: 'invalid_request', operationId: 'createPet' })
  expect(invalid.details.map(({ path }) => path)).toEqual(['/body/name', '/body/categoryId'])
  const missing = await failureOf(store.getPet(9))
  expect(missing).toMatchObject({ status: 404, code: 'not_found', details: [], attempts: 1 })
  expect(invalid.requestId).toMatch(/^[0-9a-f-]{36}$/)
  expect(missing.requestId).not.toBe(invalid.requestId)
  const rateLimit = { limit: 1e6, remaining: 1e6 - 2, reset: expect.any(Date) }
  expect(missing.rateLimit).toEqual(rateLimit)

  const again = { headers: { 'Idempotency-Key': 'once' } }
  await store.createPet(rex, again)
  const reused = await failureOf(store.createPet({ ...rex, name: 'Mia' }, again))
  expect(reused).toMatchObject({ status: 422, code: 'idempotency_key_reused' })
  const wrong = watchService(service, { apiKey: 'ask_wrong' }).store
  expect(await failureOf(wrong.listPets())).toMatchObject({ code: 'invalid_api_key' })
  const { key: apiKey } = await service.issue({ perMinute: 1, perDay: 5 })
  const limited = watchService(service, { apiKey }).store
  await limited.listPets()
  const error = await failureOf(limited.listPets())
  expect(error).toMatchObject({ status: 429, code: 'rate_limited', rateLimit: { remaining: 0 } })
  expect(error.retryAfter).toBeGreaterThan(0)
})

test('an error is an Error whose stack begins with its name and names the caller', async () => {
  const error = await failureOf(watch(fail(404)).store.getPet(1))
  expect(error).toBeInstanceOf(Error)
  expect(error.stack).toMatch(/^AnimalStoreError: .+\n +at /)
  expect(error.stack).toContain('errors.test.ts')
  expect(String(error)).toBe(`AnimalStoreError: ${error.message}`)
  expect(JSON.parse(JSON.stringify(error))).toMatchObject({ code: 'code_404', status: 404 })
})

const page = '<html><body><h1>Bad gateway</h1></body></html>'
const html = { 'Content-Type': 'text/html' }
const body = { code: 'not_found', message: 'There is none.', status: 404 }

test.each([
  ['an HTML error page', new Response(page, { status: 404, headers: html }), 404, 'text/html'],
  ['an error that is null', json(null, { status: 404 }), 404, 'application/json'],
  ['an error without code', json({ message: 'No.' }, { status: 404 }), 404, 'application/json'],
  ['an error without message', json({ code: 'no' }, { status: 404 }), 404, 'application/json'],
  ['a code that is a number', json({ ...body, code: 5 }, { status: 404 }), 404, 'application/json'],
  ['an HTML page with 200', new Response(page, { headers: html }), 200, 'text/html'],
  ['a 200 without a body', new Response(null, { headers: html }), 200, 'text/html'],
  ['a text that is not JSON', new Response('NaN'), 200, 'text/plain;charset=UTF-8'],
  ['a 304', new Response(null, { status: 304 }), 304, 'null'],
])('%s is an unexpected_response', async (_, response, status, type) => {
  const error = await failureOf(watch(() => response).store.getPet(1))
  const known = { code: 'unexpected_response', operationId: 'getPet', details: [], attempts: 1 }
  expect(error).toMatchObject({ name: 'AnimalStoreError', ...known, status })
  expect(error.message).toBe(`GET /pets/{petId}: unexpected response: ${status} ${type}`)
})

test('a page that is not an array is an unexpected_response', async () => {
  const error = await failureOf(watch(() => json({})).store.listPets())
  expect(error).toMatchObject({ code: 'unexpected_response', status: 200 })
})

test('a redirect is not followed', async () => {
  const redirect = respond(308, '', { Location: '/v1/pets' })
  const { store, requests } = await startScriptedStore([redirect, emptyPage])
  const error = await failureOf(store.createPet(rex))
  expect(error).toMatchObject({ code: 'unexpected_response', status: 308, attempts: 1 })
  expect(requests).toHaveLength(1)
})

test('a 204 is undefined, from raw and with middleware too', async () => {
  const { store } = watch(() => new Response(null, { status: 204 }))
  expect(await store.getPet(1)).toBeUndefined()
  const { data, error, response } = await store.raw.GET('/pets')
  expect([data, error, response.status]).toEqual([undefined, undefined, 204])
  store.raw.use({ onRequest: () => undefined })
  expect(await store.getPet(1)).toBeUndefined()
})

test.each([
  ['another media type', new Response('[]', { headers: html })],
  ['a byte order mark', new Response('\uFEFF[]')],
])('JSON with %s is read', async (_, response) => {
  expect([...(await watch(() => response).store.listPets())]).toEqual([])
})

test.each([
  [null, []],
  [{ path: '/a' }, []],
  [
    [null, { path: '/a', message: 'No.', more: 1 }],
    [null, { path: '/a', message: 'No.', more: 1 }],
  ],
])('details that are %j are %j in the error', async (sent, details) => {
  const { store } = watch(() => json({ ...body, details: sent }, { status: 404 }))
  expect(await failureOf(store.getPet(1))).toMatchObject({ code: 'not_found', details })
})
