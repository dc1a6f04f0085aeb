import { inspect } from 'node:util'
import { expect, test, vi } from 'vitest'
import { expectNoKeyIn } from './support/printed-forms.ts'
import { apiKey, json, watch } from './support/watched-store.ts'

// What they inherit is what tells it, so they hold nothing themselves.
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

test.each(failures)('a fetch that throws the key in %s does not tell it', async (_, thrown) => {
  const onRetry = vi.fn()
  const retry = { attempts: 2, backoff: 0 }
  const { store } = watch((request) => Promise.reject(thrown(request)), { retry, onRetry })
  const error: unknown = await store.getPet(1).catch((caught: unknown) => caught)
  expect(error).toMatchObject({ name: 'AnimalStoreError', code: 'network_error' })
  expectNoKeyIn(error)
  expectNoKeyIn(onRetry.mock.calls[0]?.[0].cause)
  const raw: unknown = await store.raw.GET('/pets', {}).catch((caught: unknown) => caught)
  expect(raw).toMatchObject({ name: 'AnimalStoreError', code: 'network_error' })
  expectNoKeyIn(raw)
})

test.each([null, 0, 'failed', Symbol('failed'), { failed: true }])(
  'what is thrown and does not hold the key, such as %s, is kept as it is',
  async (thrown) => {
    const { store } = watch(() => Promise.reject(thrown))
    const error: unknown = await store.getPet(1).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: 'network_error' })
    expect(error).toHaveProperty('cause', thrown)
  },
)

test('the cause of a failed connection is kept whole', async () => {
  const cause = new TypeError('fetch failed', { cause: withProperty({ code: 'ECONNRESET' }) })
  const { store } = watch(() => Promise.reject(cause))
  await expect(store.getPet(1)).rejects.toHaveProperty('cause', cause)
})
