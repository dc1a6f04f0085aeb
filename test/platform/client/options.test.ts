import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { createAnimalStore } from '../../../client/index.ts'
import { apiKey, baseUrl, fail, reasonOf, recordClient, rex, succeed } from './support/client.ts'

test.each<[string, unknown, string]>([
  ['apiKey', 'ask_hush\nX-Other: 1', 'apiKey must be a string of visible ASCII'],
  // Read from a file, for example.
  ['apiKey', 'ask_hush\n', 'apiKey must be a string of visible ASCII'],
  ['apiKey', 123454321, 'apiKey must be a string of visible ASCII'],
  ['apiKey', '', 'apiKey is empty'],
  ['apiKey', undefined, 'apiKey is empty'],
  ['baseUrl', 'https://hush@pets.example/v1', 'baseUrl must be'],
  ['baseUrl', 'https://hush.example/v1?', 'baseUrl must be'],
  ['baseUrl', 'hush.example/v1', 'baseUrl must be'],
  ['baseUrl', 'ftp://hush.example/v1', 'baseUrl must be'],
  ['retry', { hush: 2 }, 'The client has no option retry. Allowed: baseUrl, '],
  ['timeout', { hush: 5 }, 'timeout must be a number'],
  ['maxRetries', 1.5, 'maxRetries must be a whole number, 0 or more'],
  ['fetch', 3, 'fetch must be a function'],
  ['pacer', {}, 'pacer must be created by createPacer'],
  ['onRetry', 3, 'onRetry must be a function'],
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
  ['https://pets.example/v1', 'https://pets.example/v1/pets'],
  ['https://pets.example/v1/', 'https://pets.example/v1/pets'],
  ['HTTPS://Pets.example/a%20b/v1', 'https://pets.example/a%20b/v1/pets'],
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

type Row = [what: string, 'getPet' | 'listPets' | 'createPet', values: unknown[], message: string]

const beyondLatin1 = { headers: { 'Idempotency-Key': 'order-🐈' } }
const needsId = "getPet needs petId, which must not be empty, '.' or '..'."

test.each<Row>([
  ...[undefined, null, '', '.', '..'].map((petId): Row => {
    return [`a path parameter that is ${JSON.stringify(petId)}`, 'getPet', [petId], needsId]
  }),
  [
    'an unknown option',
    'getPet',
    [1, { retry: 1 }],
    'getPet has no option retry. Allowed: headers',
  ],
  ['one of lists', 'getPet', [1, { maxPages: 5 }], 'no option maxPages'],
  ['an unknown one of a list', 'listPets', [{}, { retry: 1 }], 'maxPages'],
  ['maxPages: 0', 'listPets', [{}, { maxPages: 0 }], 'a whole number, 1 or more'],
  ['an invalid totalTimeout', 'getPet', [1, { totalTimeout: '5' }], 'must be a number'],
  ['headers that are a text', 'getPet', [1, { headers: 'a: b' }], 'must be an object'],
  ['an invalid signal', 'getPet', [1, { signal: true }], 'signal must be an AbortSignal'],
  ['a number for options', 'getPet', [1, 5], 'getPet needs an object of options. Allowed: headers'],
  ['a BigInt in the body', 'createPet', [{ ...rex, categoryId: 7n }], 'BigInt'],
  ['a header value beyond Latin-1', 'createPet', [rex, beyondLatin1], ''],
])('%s is a TypeError of the call, and nothing is sent', async (_, method, values, message) => {
  const { store, requests } = recordClient(succeed, { maxRetries: 3 })
  const error = await reasonOf(Reflect.apply(store[method], store, values))
  expect(error).toBeInstanceOf(TypeError)
  expect(error).toHaveProperty('message', expect.stringContaining(message))
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
