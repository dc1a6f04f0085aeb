import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { createAnimalStore } from '../../client/index.ts'
import { apiKey, baseUrl, json, watch } from './support/watched-store.ts'

/** What making a client throws, whatever it is given by a program without types. */
function refusalOf(options: object): unknown {
  try {
    // `Reflect.apply` is how the compiler lets wrong options through.
    return Reflect.apply(createAnimalStore, undefined, [{ baseUrl, apiKey, ...options }])
  } catch (error) {
    return error
  }
}

test.each([
  ['with a line break', 'ask_hush\nX-Other: 1'],
  ['with a space', 'ask_hush hush'],
  ['with a letter beyond ASCII', 'ask_hush_ü'],
  ['with an invisible letter', 'ask_hush\u200b'],
  ['that ends in a line break, as files do', 'ask_hush\n'],
  ['that is empty', ''],
  ['that is a number', 123454321],
  ['that is an array', ['ask_hush']],
  ['that is an object', { toString: () => 'ask_hush' }],
  ['that is undefined', undefined],
  ['that is null', null],
])('a key %s is refused without being shown', (_, key) => {
  const error = refusalOf({ apiKey: key })
  expect(error).toBeInstanceOf(TypeError)
  expect(error).toHaveProperty('message', expect.stringContaining('apiKey'))
  expect(inspect(error, { showHidden: true })).not.toMatch(/hush|123454321/)
})

test.each([
  ['with a user name', 'https://hush@animals.example/v1'],
  ['with a password', 'https://rex:hush@animals.example/v1'],
  ['with a query', 'https://animals.example/v1?key=hush'],
  ['with an empty query', 'https://hush.example/v1?'],
  ['with a hash', 'https://animals.example/v1#hush'],
  ['with an empty hash', 'https://hush.example/v1#'],
  ['without a protocol', 'hush.example/v1'],
  ['without a host', '/v1/hush'],
  ['of another protocol', 'ftp://hush.example/v1'],
  ['that is a file', 'file:///hush'],
  ['that is a program', 'javascript:hush'],
  ['that is empty', ''],
  ['that is undefined', undefined],
  ['that is null', null],
])('a base URL %s is refused without being shown', (_, url) => {
  const error = refusalOf({ baseUrl: url })
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
])('below %s lists are asked for at %s', async (url, sent) => {
  const { store, requests } = watch(() => json([]), { baseUrl: url })
  await store.listPets()
  expect(requests.map((request) => request.url)).toEqual([sent])
})

test('the key goes as the bearer token of every request', async () => {
  const { store, requests } = watch(() => json([]))
  await store.listPets()
  await store.raw.GET('/pets', {})
  const sent = requests.map(({ headers }) => headers.get('authorization'))
  expect(sent).toEqual([`Bearer ${apiKey}`, `Bearer ${apiKey}`])
})
