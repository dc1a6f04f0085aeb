import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { AnimalStoreError, createAnimalStore } from '../../client/index.ts'
import { apiKey, baseUrl, fail, failureOf, json, reasonOf, rex, watch } from './support/client.ts'

test.each<[string, unknown]>([
  ['apiKey', 'ask_hush\nX-Other: 1'],
  ['apiKey', 'ask_hush hush'],
  ['apiKey', 'ask_hush\n'],
  ['apiKey', 123454321],
  ['apiKey', ''],
  ['apiKey', undefined],
  ['baseUrl', 'https://hush@animals.example/v1'],
  ['baseUrl', 'https://animals.example/v1?key=hush'],
  ['baseUrl', 'https://hush.example/v1?'],
  ['baseUrl', 'hush.example/v1'],
  ['baseUrl', 'ftp://hush.example/v1'],
  ['baseUrl', undefined],
])('%s %j is a TypeError that does not show it', (name, value) => {
  // `Reflect.apply` lets options of wrong types through.
  const options = { baseUrl, apiKey, [name]: value }
  let thrown: unknown
  try {
    Reflect.apply(createAnimalStore, undefined, [options])
  } catch (error) {
    thrown = error
  }
  expect(thrown).toBeInstanceOf(TypeError)
  expect(thrown).toHaveProperty('message', expect.stringContaining(name))
  expect(inspect(thrown, { showHidden: true })).not.toMatch(/hush|123454321/)
})

test.each([
  ['https://animals.example/v1', 'https://animals.example/v1/pets'],
  ['https://animals.example/v1/', 'https://animals.example/v1/pets'],
  ['HTTPS://Animals.example/a%20b/v1', 'https://animals.example/a%20b/v1/pets'],
])('with baseUrl %s a list is requested from %s with the API key', async (url, sent) => {
  const { store, requests } = watch(() => json([]), { baseUrl: url })
  await store.listPets()
  await store.raw.GET('/pets', {})
  expect(requests.map((request) => request.url)).toEqual([sent, sent])
  const credentials = requests.map(({ headers }) => headers.get('authorization'))
  expect(credentials).toEqual([`Bearer ${apiKey}`, `Bearer ${apiKey}`])
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

test.each([{ retry: undefined }, { timeout: undefined, headers: undefined }])(
  'undefined options of a call, such as %o, mean those of the client',
  async (options) => {
    const { store, requests } = watch(fail(503), { retry: { attempts: 2, backoff: 0 } })
    const call = Reflect.apply(store.getPet, store, [1, options])
    expect(await failureOf(call)).toMatchObject({ attempts: 2 })
    expect(requests).toHaveLength(2)
  },
)

test('with NaN in options nothing is sent more than once', async () => {
  const { store, requests } = watch(fail(503), { retry: { attempts: Number.NaN } })
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
