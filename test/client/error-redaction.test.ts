import { format, inspect } from 'node:util'
import { expect, test, vi } from 'vitest'
import { createAnimalStore } from '../../client/index.ts'
import { apiKey, baseUrl, failureOf, json, watch } from './support/watched-store.ts'

const whole = { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true } as const
const secrets = [apiKey, JSON.stringify(apiKey).slice(1, -1), inspect(apiKey).slice(1, -1)]

/** Fails if the API key is in any form in which a program may print or pass on what it caught. */
function expectNoKeyIn(thrown: unknown): void {
  const { stack, message, cause } = thrown instanceof Error ? thrown : new Error('no error')
  const forms = [
    format(thrown),
    inspect(thrown, whole),
    inspect(structuredClone(thrown), whole),
    JSON.stringify(thrown),
    JSON.stringify({ cause }) ?? '',
    JSON.stringify(thrown, Object.getOwnPropertyNames(thrown)),
    `${thrown} ${stack} ${message} ${cause}`,
  ]
  for (const form of forms) for (const secret of secrets) expect(form).not.toContain(secret)
  if (cause instanceof Error) expectNoKeyIn(cause)
}

// These print the key through what they inherit.
class Written extends Error {
  toJSON() {
    return { apiKey }
  }
}
class Inspected extends Error {
  [inspect.custom]() {
    return apiKey
  }
}
const withProperty = (value: unknown) => Object.assign(new Error('failed'), { request: value })
const withGetter = (get: () => unknown) =>
  Object.defineProperty(new Error('failed'), 'request', { get, enumerable: true })
const deep = (depth: number): Error =>
  new Error('failed', { cause: depth === 0 ? new Error(apiKey) : deep(depth - 1) })
const circular = withProperty({ apiKey })
circular.cause = circular
const named = new Error('failed')
named.name = `Error of ${apiKey}`

const failures: readonly (readonly [string, (request: Request) => unknown])[] = [
  ['its message', () => new Error(`failed with ${apiKey}`)],
  ['its name', () => named],
  ['its stack alone', () => Object.assign(new Error('failed'), { stack: `Error: ${apiKey}` })],
  ['a property', () => withProperty(apiKey)],
  [
    'a property that is hidden',
    () => Object.defineProperty(new Error('failed'), 'key', { value: apiKey }),
  ],
  ['the name of a property', () => Object.assign(new Error('failed'), { [apiKey]: 1 })],
  ['an object', () => withProperty({ deeply: [{ inside: `Bearer ${apiKey}` }] })],
  ['the request', (request) => withProperty(request)],
  ['its headers', ({ headers }) => withProperty(headers)],
  ['its headers as an object', ({ headers }) => withProperty(Object.fromEntries(headers))],
  [
    'a symbol for a name',
    () => Object.assign(new Error('failed'), { [Symbol('request')]: apiKey }),
  ],
  ['a symbol', () => withProperty(Symbol(apiKey))],
  ['a Map', ({ headers }) => withProperty(new Map(headers))],
  ['a Set', () => withProperty(new Set([apiKey]))],
  ['a function', () => withProperty(Object.assign(() => apiKey, { apiKey }))],
  [
    'an object without a prototype',
    () => withProperty(Object.assign(Object.create(null), { apiKey })),
  ],
  ['a getter', () => withGetter(() => apiKey)],
  [
    'a getter that throws',
    () =>
      withGetter(() => {
        throw new Error(apiKey)
      }),
  ],
  ['what it writes as JSON', () => new Written('failed')],
  ['what it shows when it is inspected', () => new Inspected('failed')],
  ['a message that is no text', () => Object.assign(new Error(), { message: { apiKey } })],
  ['its cause', () => new TypeError('fetch failed', { cause: new Error(apiKey) })],
  ['a cause that is no error', () => new TypeError('fetch failed', { cause: { apiKey } })],
  ['a long chain of causes', () => deep(20)],
  ['itself as its cause', () => circular],
  [
    'one of several errors',
    () => new AggregateError([new Error('one'), new Error(apiKey)], 'all failed'),
  ],
  [
    'errors in a cause',
    () => new Error('failed', { cause: new AggregateError([withProperty(apiKey)]) }),
  ],
  ['a text', () => `failed with ${apiKey}`],
  ['a bare object', () => ({ apiKey })],
  ['a bare request', (request) => request],
  ['a bare response', () => json({ apiKey })],
  [
    'a proxy that throws',
    () =>
      new Proxy(
        {},
        {
          getPrototypeOf: () => {
            throw new Error(apiKey)
          },
        },
      ),
  ],
]

test.each(failures)('what fetch throws with the API key in %s is redacted', async (_, thrown) => {
  const onRetry = vi.fn()
  const retry = { attempts: 2, backoff: 0 }
  const { store } = watch((request) => Promise.reject(thrown(request)), { retry, onRetry })
  for (const call of [() => store.getPet(1), () => store.raw.GET('/pets', {})]) {
    const error = await failureOf(call())
    expect(error).toMatchObject({ code: 'network_error' })
    expectNoKeyIn(error)
    expectNoKeyIn(onRetry.mock.lastCall?.[0].cause)
  }
})

test.each([
  ...[null, 0, 'failed', Symbol('failed'), { failed: true }],
  new TypeError('fetch failed', { cause: withProperty({ code: 'ECONNRESET' }) }),
])('what fetch throws without the API key, such as %s, is the cause', async (thrown) => {
  const { store } = watch(() => Promise.reject(thrown))
  const error = await failureOf(store.getPet(1))
  expect(error).toMatchObject({ code: 'network_error' })
  expect(error).toHaveProperty('cause', thrown)
})

const body = { code: 'not_found', message: 'There is none.', status: 404 }
const echo = ({ headers }: Request) => `You sent ${headers.get('authorization')}`

// A proxy may repeat what it was sent.
const echoes: readonly (readonly [string, (sent: string) => Response])[] = [
  ['the message', (sent) => json({ ...body, message: sent }, { status: 404 })],
  ['the code', (sent) => json({ ...body, code: sent }, { status: 404 })],
  [
    'details',
    (sent) => json({ ...body, details: [{ path: '/a', message: sent }] }, { status: 404 }),
  ],
  ['deep details', (sent) => json({ ...body, details: [{ more: [sent] }] }, { status: 404 })],
  ['X-Request-Id', (sent) => json(body, { status: 404, headers: { 'X-Request-Id': sent } })],
  ['an unknown member', (sent) => json({ ...body, sent }, { status: 404 })],
  ['an unknown field', (sent) => json(body, { status: 404, headers: { 'X-Sent': sent } })],
  ['an HTML page', (sent) => new Response(sent, { status: 502 })],
  ['a JSON string', (sent) => json(sent, { status: 502 })],
  ['the reason phrase', (sent) => new Response('', { status: 502, statusText: sent })],
  [
    'the media type',
    (sent) => new Response('', { status: 502, headers: { 'Content-Type': sent } }),
  ],
  ['a success', (sent) => new Response(sent, { headers: { 'X-Request-Id': sent } })],
  [
    'a Link',
    (sent) => json([], { headers: { Link: `<https://other.example?cursor=${sent}>; rel=next` } }),
  ],
  ['Retry-After', (sent) => json(body, { status: 404, headers: { 'Retry-After': sent } })],
  ['a limit', (sent) => json(body, { status: 404, headers: { 'X-RateLimit-Limit': sent } })],
]

test.each(echoes)('a response with the API key in %s is redacted', async (_, respond) => {
  const error = await failureOf(watch((request) => respond(echo(request))).store.listPets())
  expect(error).toMatchObject({ attempts: 1 })
  expectNoKeyIn(error)
})

test('redaction replaces the API key alone', async () => {
  const { store } = watch((request) =>
    json(
      { ...body, message: echo(request), details: [{ path: '/a', message: echo(request) }] },
      { status: 404, headers: { 'X-Request-Id': echo(request) } },
    ),
  )
  const message = 'You sent Bearer [redacted]'
  const details = [{ path: '/a', message }]
  expect(await failureOf(store.getPet(1))).toMatchObject({ message, details, requestId: message })
})

test.each(['key', 'api_key', 'missing_api_key'])(
  'the error code and message are unchanged where the API key is %s',
  async (short) => {
    for (const code of ['missing_api_key', 'invalid_api_key']) {
      const rejected = { code, message: 'Send an API key.', status: 401 }
      const respond = () => json(rejected, { status: 401, headers: { 'X-Request-Id': 'key-1' } })
      const error = await failureOf(watch(respond, { apiKey: short }).store.listPets())
      expect(error).toMatchObject({ ...rejected, requestId: 'key-1' })
    }
  },
)

test('what fetch throws is the cause where the API key is short', async () => {
  const cause = new TypeError('the key of the certificate is unknown')
  const { store } = watch(() => Promise.reject(cause), { apiKey: 'key' })
  expect(await failureOf(store.listPets())).toMatchObject({ code: 'network_error', cause })
})

test.each([{ attempt: 1 }, { total: 1 }])('a timeout %o has no API key', async (timeout) => {
  const { store } = watch(() => new Promise(() => undefined), { timeout })
  const error = await failureOf(store.getPet(1))
  expect(error).toMatchObject({ code: 'timeout' })
  expectNoKeyIn(error)
})

test('a body that breaks off has no API key', async () => {
  const { store } = watch((request) => {
    const pull = () => Promise.reject(Object.assign(new Error('broken'), { request }))
    return new Response(new ReadableStream({ pull }))
  })
  const error = await failureOf(store.getPet(1))
  expect(error).toMatchObject({ code: 'network_error', cause: { message: 'Error: broken' } })
  expectNoKeyIn(error)
})

test('a client does not print its API key', () => {
  const store = createAnimalStore({ baseUrl, apiKey })
  for (const form of [inspect(store, whole), JSON.stringify(store), inspect(store.raw, whole)]) {
    expect(form).not.toMatch(/ask_Secret|Bearer/)
  }
})
