import { expect, test } from 'vitest'
import { AnimalStoreError } from '../../client/index.ts'
import { json, watch } from './support/watched-store.ts'

const rex = { name: 'Rex', categoryId: 7 }

/** What a call ends with. */
async function reasonOf(call: PromiseLike<unknown>): Promise<unknown> {
  return call.then(
    () => expect.unreachable('The call succeeded.'),
    (reason: unknown) => reason,
  )
}

const fault = new RangeError('broken')
const fail = (): never => {
  throw fault
}

test.each([
  ['onRequest', { onRequest: fail }],
  ['onResponse', { onResponse: fail }],
])('what %s of middleware throws comes as it is', async (_, middleware) => {
  const { store } = watch(() => json([]), { retry: { backoff: 0 } })
  store.raw.use(middleware)
  expect(await reasonOf(store.listPets())).toBe(fault)
  expect(await reasonOf(store.raw.GET('/pets'))).toBe(fault)
})

test('onError of middleware is told of a failure, and may give another', async () => {
  const { store } = watch(() => Promise.reject(new TypeError('fetch failed')))
  const [told, other]: [unknown[], Error] = [[], new Error('other')]
  store.raw.use({
    onError({ error }) {
      told.push(error)
      return other
    },
  })
  expect(await reasonOf(store.listPets())).toBe(other)
  expect(told).toEqual([expect.any(AnimalStoreError)])
})

test.each([
  ['a BigInt in the body', { ...rex, categoryId: 7n }, {}],
  ['a header value beyond Latin-1', rex, { headers: { 'Idempotency-Key': 'order-🐈' } }],
  ['a header value with a line break', rex, { headers: { 'Idempotency-Key': 'a\nb' } }],
])('%s cannot be sent: a TypeError says why', async (_, pet, options) => {
  const { store, requests } = watch(() => json(rex), { retry: { backoff: 0 } })
  // `Reflect.apply` is how the compiler lets a wrong body through.
  const error = await reasonOf(Reflect.apply(store.createPet, store, [pet, options]))
  expect(error).toBeInstanceOf(TypeError)
  expect(error).not.toBeInstanceOf(AnimalStoreError)
  expect(requests).toHaveLength(0)
})
