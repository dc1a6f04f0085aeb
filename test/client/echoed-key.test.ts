import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { createAnimalStore } from '../../client/index.ts'
import { expectNoKeyIn } from './support/printed-forms.ts'
import { apiKey, baseUrl, json, watch } from './support/watched-store.ts'

const body = { code: 'not_found', message: 'There is none.', status: 404 }
const echo = (request: Request) => `You sent ${request.headers.get('authorization')}`

// A proxy may repeat what it was sent, wherever it likes.
const echoes: readonly (readonly [string, (request: Request) => Response])[] = [
  ['the message', (request) => json({ ...body, message: echo(request) }, { status: 404 })],
  ['the code', (request) => json({ ...body, code: echo(request) }, { status: 404 })],
  [
    'the details',
    (request) =>
      json(
        { ...body, details: [{ path: '/a', message: echo(request) }, { more: [echo(request)] }] },
        { status: 404 },
      ),
  ],
  [
    'the request id',
    (request) => json(body, { status: 404, headers: { 'X-Request-Id': echo(request) } }),
  ],
  [
    'fields that nobody knows',
    (request) =>
      json({ ...body, sent: echo(request) }, { status: 404, headers: { 'X-Sent': echo(request) } }),
  ],
  ['an error page', (request) => new Response(echo(request), { status: 502 })],
  ['an error page of JSON', (request) => json(echo(request), { status: 502 })],
  ['the reason phrase', (request) => new Response('', { status: 502, statusText: echo(request) })],
  [
    'the media type',
    (request) => new Response('', { status: 502, headers: { 'Content-Type': echo(request) } }),
  ],
  [
    'a success that is no JSON',
    (request) => new Response(echo(request), { headers: { 'X-Request-Id': echo(request) } }),
  ],
  [
    'a Link field',
    (request) =>
      json([], { headers: { Link: `<https://other.example?cursor=${echo(request)}>; rel=next` } }),
  ],
  [
    'the other fields that are read',
    (request) =>
      json(body, {
        status: 404,
        headers: { 'Retry-After': echo(request), 'X-RateLimit-Limit': echo(request) },
      }),
  ],
]

test.each(echoes)('an answer that has the key in %s does not make it known', async (_, answer) => {
  const error: unknown = await watch(answer)
    .store.listPets()
    .catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ name: 'AnimalStoreError', attempts: 1 })
  expectNoKeyIn(error)
})

test('what is taken out is marked, and the rest stays', async () => {
  const { store } = watch((request) =>
    json(
      { ...body, message: echo(request), details: [{ path: '/a', message: echo(request) }] },
      { status: 404, headers: { 'X-Request-Id': echo(request) } },
    ),
  )
  const hidden = 'You sent Bearer [redacted]'
  await expect(store.getPet(1)).rejects.toMatchObject({
    message: hidden,
    details: [{ path: '/a', message: hidden }],
    requestId: hidden,
  })
})

test('a call that takes too long does not tell the key', async () => {
  const never = () => new Promise<Response>(() => undefined)
  for (const timeout of [{ attempt: 1 }, { total: 1 }]) {
    const error: unknown = await watch(never, { timeout })
      .store.getPet(1)
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'timeout' })
    expectNoKeyIn(error)
  }
})

test('an answer whose body breaks off does not tell the key', async () => {
  const { store } = watch((request) => {
    const fail = () => Promise.reject(Object.assign(new Error('broken'), { request }))
    return new Response(new ReadableStream({ pull: fail }))
  })
  const error: unknown = await store.getPet(1).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'network_error', cause: { message: 'Error: broken' } })
  expectNoKeyIn(error)
})

test('a client does not show the key that it was made with', () => {
  const store = createAnimalStore({ baseUrl, apiKey })
  const whole = { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true } as const
  for (const form of [inspect(store, whole), JSON.stringify(store), inspect(store.raw, whole)]) {
    expect(form).not.toMatch(/ask_Secret|Bearer/)
  }
})
