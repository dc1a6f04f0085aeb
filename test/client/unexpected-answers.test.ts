import { expect, test } from 'vitest'
import { json, watch } from './support/watched-store.ts'

const html = { 'Content-Type': 'text/html' }
const body = { code: 'not_found', message: 'There is none.', status: 404 }

test.each([
  [
    'a page of a proxy',
    () => new Response('<h1>Bad gateway</h1>', { status: 502, headers: html }),
    502,
    'text/html',
  ],
  ['an error without a body', () => new Response(null, { status: 404 }), 404, 'null'],
  ['an error that is no object', () => json('not found', { status: 404 }), 404, 'application/json'],
  ['an error that is null', () => json(null, { status: 404 }), 404, 'application/json'],
  [
    'an error without a code',
    () => json({ message: 'None.' }, { status: 404 }),
    404,
    'application/json',
  ],
  [
    'an error without a message',
    () => json({ ...body, message: undefined }, { status: 404 }),
    404,
    'application/json',
  ],
  [
    'an error whose code is no text',
    () => json({ ...body, code: 5 }, { status: 404 }),
    404,
    'application/json',
  ],
  [
    'a success that is no JSON',
    () => new Response('<h1>Log in</h1>', { headers: html }),
    200,
    'text/html',
  ],
  ['a success without a body', () => new Response(null, { headers: html }), 200, 'text/html'],
  ['a success that breaks off', () => new Response('{"id":', { headers: html }), 200, 'text/html'],
  ['a redirect to nowhere', () => new Response(null, { status: 304 }), 304, 'null'],
])('%s is an unexpected response', async (_, answer, status, type) => {
  await expect(watch(answer).store.getPet(1)).rejects.toMatchObject({
    name: 'AnimalStoreError',
    code: 'unexpected_response',
    message: `The answer to getPet is not of the contract: ${status}, ${type}.`,
    status,
    details: [],
    attempts: 1,
  })
})

test('a list that is no array is an unexpected response', async () => {
  const { store } = watch(() => json({ items: [] }))
  await expect(store.listPets()).rejects.toMatchObject({ code: 'unexpected_response', status: 200 })
})

test.each([null, 'none', { path: '/a' }, 5])('details that are %j are none', async (details) => {
  const { store } = watch(() => json({ ...body, details }, { status: 404 }))
  await expect(store.getPet(1)).rejects.toMatchObject({ code: 'not_found', details: [] })
})

test.each([
  ['absent', {}],
  ['not numbers', { 'Retry-After': 'soon', 'X-RateLimit-Limit': 'many' }],
  ['of another form', { 'Retry-After': '-1', 'X-RateLimit-Remaining': '1.5' }],
])('header fields that are %s are told as undefined', async (_, headers) => {
  const { store } = watch(() => json(body, { status: 404, headers }))
  const error: unknown = await store.getPet(1).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'not_found' })
  for (const name of ['requestId', 'retryAfter', 'rateLimit']) {
    expect(error).not.toHaveProperty(name, expect.anything())
  }
})
