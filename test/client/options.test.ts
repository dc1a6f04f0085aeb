import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { AnimalStoreError, type AnimalStoreOptions, createAnimalStore } from '../../client/index.ts'
import { apiKey, baseUrl, failureOf, json, reasonOf, watch } from './support/watched-store.ts'

const rex = { name: 'Rex', categoryId: 7 }

/** Returns what creating a client throws; `Reflect.apply` lets options of wrong types through. */
function errorOf(options: object): unknown {
  try {
    return Reflect.apply(createAnimalStore, undefined, [{ baseUrl, apiKey, ...options }])
  } catch (error) {
    return error
  }
}

test.each([
  ['with a line break', 'ask_hush\nX-Other: 1'],
  ['with a space', 'ask_hush hush'],
  ['with a letter beyond ASCII', 'ask_hush_ü'],
  ['with an invisible character', 'ask_hush\u200b'],
  ['with a line break at the end', 'ask_hush\n'],
  ['that is empty', ''],
  ['that is a number', 123454321],
  ['that is an array', ['ask_hush']],
  ['that is an object', { toString: () => 'ask_hush' }],
  ['that is undefined', undefined],
  ['that is null', null],
])('an apiKey %s is rejected without being shown', (_, key) => {
  const error = errorOf({ apiKey: key })
  expect(error).toBeInstanceOf(TypeError)
  expect(error).toHaveProperty('message', expect.stringContaining('apiKey'))
  expect(inspect(error, { showHidden: true })).not.toMatch(/hush|123454321/)
})

test.each([
  ['with a user name', 'https://hush@animals.example/v1'],
  ['with a password', 'https://rex:hush@animals.example/v1'],
  ['with a query', 'https://animals.example/v1?key=hush'],
  ['with an empty query', 'https://hush.example/v1?'],
  ['with a fragment', 'https://animals.example/v1#hush'],
  ['with an empty fragment', 'https://hush.example/v1#'],
  ['without a scheme', 'hush.example/v1'],
  ['without a host', '/v1/hush'],
  ['of another scheme', 'ftp://hush.example/v1'],
  ['that is a file', 'file:///hush'],
  ['that is a script', 'javascript:hush'],
  ['that is empty', ''],
  ['that is undefined', undefined],
  ['that is null', null],
])('a baseUrl %s is rejected without being shown', (_, url) => {
  const error = errorOf({ baseUrl: url })
  expect(error).toBeInstanceOf(TypeError)
  expect(error).toHaveProperty('message', expect.stringContaining('baseUrl'))
  expect(inspect(error, { showHidden: true })).not.toContain('hush')
})

test.each([
  ['https://animals.example/v1', 'https://animals.example/v1/pets'],
  ['https://animals.example/v1/', 'https://animals.example/v1/pets'],
  ['http://127.0.0.1:3000/v1', 'http://127.0.0.1:3000/v1/pets'],
  ['https://animals.example', 'https://animals.example/pets'],
  ['HTTPS://Animals.example/a%20b/v1', 'https://animals.example/a%20b/v1/pets'],
])('with baseUrl %s a list is requested from %s', async (url, sent) => {
  const { store, requests } = watch(() => json([]), { baseUrl: url })
  await store.listPets()
  expect(requests.map((request) => request.url)).toEqual([sent])
})

test('the API key is the bearer token of every request', async () => {
  const { store, requests } = watch(() => json([]))
  await store.listPets()
  await store.raw.GET('/pets', {})
  const sent = requests.map(({ headers }) => headers.get('authorization'))
  expect(sent).toEqual([`Bearer ${apiKey}`, `Bearer ${apiKey}`])
})

test('a call may send any header field', async () => {
  const { store, requests } = watch(() => json([]))
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const headers = { traceparent }
  await store.listPets({}, { headers })
  await store.getPet(1, { headers })
  await store.createPet(rex, { headers: { ...headers, 'Idempotency-Key': 'order-7' } })
  await Array.fromAsync(store.listPets({}, { headers }))
  const sent = requests.map((request) => request.headers.get('traceparent'))
  expect(sent).toEqual(Array(4).fill(traceparent))
  expect(requests[2]?.headers.get('idempotency-key')).toBe('order-7')
})

const unavailable = () => json({ code: 'unavailable', message: 'Later.' }, { status: 503 })

test.each([{ retry: undefined }, { timeout: undefined, headers: undefined }])(
  'undefined options of a call, such as %o, mean those of the client',
  async (options) => {
    const { store, requests } = watch(unavailable, { retry: { attempts: 2, backoff: 0 } })
    const call = Reflect.apply(store.getPet, store, [1, options])
    expect(await failureOf(call)).toMatchObject({ attempts: 2 })
    expect(requests).toHaveLength(2)
  },
)

test.each<Partial<AnimalStoreOptions>>([
  { retry: { attempts: Number.NaN } },
  { retry: { backoff: Number.NaN } },
  { retry: { longestBackoff: Number.NaN } },
  { retry: { longestRetryAfter: Number.NaN } },
  { retry: {}, timeout: { total: Number.NaN } },
])('with NaN, as in %o, nothing is sent more than once', async (options) => {
  const { store, requests } = watch(unavailable, options)
  await failureOf(store.createPet(rex))
  expect(requests).toHaveLength(1)
})

test('a call cannot change the API key or the base URL', async () => {
  const { store, requests } = watch(() => json(rex))
  const options = { apiKey: 'ask_other', baseUrl: 'https://other.example', onRetry: 1 }
  await Reflect.apply(store.getPet, store, [1, options])
  expect(requests[0]?.headers.get('authorization')).toBe(`Bearer ${apiKey}`)
  expect(requests[0]?.url).toBe(`${baseUrl}/pets/1`)
})

test.each([
  ['a BigInt in the body', { ...rex, categoryId: 7n }, {}],
  ['a header value beyond Latin-1', rex, { headers: { 'Idempotency-Key': 'order-🐈' } }],
  ['a header value with a line break', rex, { headers: { 'Idempotency-Key': 'a\nb' } }],
])('%s is a TypeError, and nothing is sent', async (_, pet, options) => {
  const { store, requests } = watch(() => json(rex), { retry: { backoff: 0 } })
  const error = await reasonOf(Reflect.apply(store.createPet, store, [pet, options]))
  expect(error).toBeInstanceOf(TypeError)
  expect(error).not.toBeInstanceOf(AnimalStoreError)
  expect(requests).toHaveLength(0)
})
