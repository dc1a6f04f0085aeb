import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { AnimalStoreError, createAnimalStore } from '../../client/index.ts'
import { apiKey, baseUrl, fail, reasonOf, recordClient, rex, succeed } from './support/client.ts'

test.each<[string, unknown, string]>([
  ['apiKey', 'ask_hush\nX-Other: 1', 'apiKey must be a string of visible ASCII'],
  ['apiKey', 123454321, 'apiKey must be a string of visible ASCII'],
  ['apiKey', '', 'apiKey is empty'],
  ['apiKey', undefined, 'apiKey is empty'],
  ['baseUrl', 'https://hush@animals.example/v1', 'baseUrl must be'],
  ['baseUrl', 'https://hush.example/v1?', 'baseUrl must be'],
  ['baseUrl', 'hush.example/v1', 'baseUrl must be'],
  ['baseUrl', 'ftp://hush.example/v1', 'baseUrl must be'],
  ['retry', { hush: 2 }, 'The client has no option retry. Allowed: baseUrl, '],
  ['timeout', { hush: 5 }, 'timeout must be a number'],
  ['maxRetries', 1.5, 'maxRetries must be a whole number, 0 or more'],
  ['fetch', 3, 'fetch must be a function'],
  ['pacer', {}, 'pacer must be created by createPacer'],
  ['maxRetryDelay', -1, 'maxRetryDelay must be a number'],
])('%s %j is a TypeError of the client that does not show it', async (name, value, message) => {
  // `Reflect.apply` lets options of wrong types through.
  const create = async () =>
    Reflect.apply(createAnimalStore, undefined, [{ baseUrl, apiKey, [name]: value }])
  const error = await reasonOf(create())
  expect(error).toBeInstanceOf(TypeError)
  expect(error).toHaveProperty('message', expect.stringContaining(message))
  expect(inspect(error, { showHidden: true })).not.toMatch(/hush|123454321/)
})

test.each([
  ['https://animals.example/v1', 'https://animals.example/v1/pets'],
  ['https://animals.example/v1/', 'https://animals.example/v1/pets'],
  ['HTTPS://Animals.example/a%20b/v1', 'https://animals.example/a%20b/v1/pets'],
])('with baseUrl %s a list is requested from %s with the API key', async (url, sent) => {
  const { store, requests } = recordClient(() => Response.json([]), { baseUrl: url })
  await store.listPets()
  await store.raw.GET('/pets', {})
  expect(requests.map((request) => request.url)).toEqual([sent, sent])
  const credentials = requests.map(({ headers }) => headers.get('authorization'))
  expect(credentials).toEqual([`Bearer ${apiKey}`, `Bearer ${apiKey}`])
})

test.each([
  ['Headers', new Headers({ 'Idempotency-Key': 'order-1', traceparent: '00' })],
  ['pairs', Object.entries({ 'IDEMPOTENCY-KEY': 'order-1', traceparent: '00' })],
  ['an object', { 'idempotency-key': 'order-1', traceparent: '00', tracestate: undefined }],
])('headers may be %s, are sent with every attempt, and may be of any name', async (_, headers) => {
  const script = [fail(503), () => Response.json(rex)]
  const { store, requests } = recordClient(script, { maxRetries: 1 })
  await Reflect.apply(store.createPet, store, [rex, { headers }])
  const names = ['idempotency-key', 'traceparent', 'tracestate']
  const sent = requests.map(({ headers }) => names.map((name) => headers.get(name)))
  expect(sent).toEqual(Array(2).fill(['order-1', '00', null]))
})

const notInPath = [undefined, null, '', '.', '..']

test.each(notInPath)('a path parameter that is %j is a TypeError', async (petId) => {
  const { store, requests } = recordClient(() => Response.json(rex))
  const error = await reasonOf(Reflect.apply(store.getPet, store, [petId]))
  const message = "getPet needs petId, which must not be empty, '.' or '..'."
  expect(error).toEqual(new TypeError(message))
  expect(requests).toHaveLength(0)
})

test.each([
  ['retry', { retry: false }, /getPet has no option retry\. Allowed: headers, signal, maxRetries/],
  ['maxPages', { maxPages: 5 }, /no option maxPages/],
  ['totalTimeout', { totalTimeout: '5' }, /totalTimeout must be a number/],
  ['headers', { headers: 'a: b' }, /headers must be an object/],
  ['signal', { signal: true }, /signal must be an AbortSignal/],
  ['a number', 5, /getPet needs an object of options\. Allowed: headers, /],
])('an unknown or invalid option of a call, such as %s, is a TypeError', async (_, wrong, text) => {
  const { store, requests } = recordClient(() => Response.json(rex))
  const error = await reasonOf(Reflect.apply(store.getPet, store, [1, wrong]))
  expect(error).toBeInstanceOf(TypeError)
  expect(error).toHaveProperty('message', expect.stringMatching(text))
  await expect(Reflect.apply(store.listPets, store, [{}, { retry: 1 }])).rejects.toThrow('maxPages')
  await expect(store.listPets({}, { maxPages: 0 })).rejects.toThrow('a whole number, 1 or more')
  expect(requests).toHaveLength(0)
})

test('apiKey may be a function, which is called for every attempt', async () => {
  let count = 0
  const keyOf = async () => `ask_key${++count}`
  const respond = [fail(503), () => Response.json([])]
  const { store, requests } = recordClient(respond, { apiKey: keyOf, maxRetries: 1 })
  await store.listPets()
  await store.raw.GET('/pets')
  const sent = requests.map(({ headers }) => headers.get('authorization'))
  expect(sent).toEqual(['Bearer ask_key1', 'Bearer ask_key2', 'Bearer ask_key3'])

  const reason = new Error('The vault is closed.')
  const broken = recordClient(succeed, { apiKey: () => Promise.reject(reason), maxRetries: 3 })
  expect(await reasonOf(broken.store.listPets())).toBe(reason)
  const empty = recordClient(succeed, { apiKey: () => '' })
  expect(await reasonOf(empty.store.listPets())).toEqual(
    new TypeError('apiKey is empty: give the API key, or a function that returns it.'),
  )
  expect([broken.requests, empty.requests]).toEqual([[], []])
})

test.each([
  ['a BigInt in the body', { ...rex, categoryId: 7n }, {}],
  ['a header value beyond Latin-1', rex, { headers: { 'Idempotency-Key': 'order-🐈' } }],
])('%s is a TypeError, and nothing is sent', async (_, pet, options) => {
  const { store, requests } = recordClient(() => Response.json(rex), { maxRetries: 3 })
  const error = await reasonOf(Reflect.apply(store.createPet, store, [pet, options]))
  expect(error).toBeInstanceOf(TypeError)
  expect(error).not.toBeInstanceOf(AnimalStoreError)
  expect(requests).toHaveLength(0)
})
