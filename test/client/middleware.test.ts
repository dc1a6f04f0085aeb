import type { Middleware } from 'openapi-fetch'
import { expect, test, vi } from 'vitest'
import { AnimalStoreError } from '../../client/index.ts'
import { fail, failureOf, json, reasonOf, rex, succeed, watch } from './support/client.ts'

const pet = { id: 1, ...rex }
const marking: Middleware = {
  onRequest: ({ request }) => request.headers.set('X-Mark', 'seen'),
}

test('the methods run middleware from when it is added until it is ejected', async () => {
  const { store, requests } = watch(succeed)
  await store.listPets()
  store.raw.use(marking)
  await store.listPets()
  await Array.fromAsync(store.listPets())
  store.raw.eject(marking)
  await store.listPets()
  await store.raw.GET('/pets')
  const marks = requests.map(({ headers }) => headers.get('x-mark'))
  expect(marks).toEqual([null, 'seen', 'seen', null, null])
})

test('middleware may replace the Request, which is retried with its body and key', async () => {
  const respond = [fail(503), fail(503), () => json(pet, { status: 201 })]
  const { store, requests } = watch(respond, { maxRetries: 3, maxRetryDelay: 0 })
  const [onRequest, onResponse] = [vi.fn(), vi.fn()]
  store.raw.use({ onRequest, onResponse })
  store.raw.use({
    onRequest({ request }) {
      expect(request).toBeInstanceOf(Request)
      return new Request(request, { headers: [...request.headers, ['X-Mark', 'other']] })
    },
  })
  expect(await store.createPet(rex)).toEqual(pet)
  expect(await Promise.all(requests.map((request) => request.json()))).toEqual([rex, rex, rex])
  const sent = requests.map(({ headers }) => headers.get('x-mark'))
  expect(sent).toEqual(['other', 'other', 'other'])
  // Middleware runs once a call, above its attempts.
  expect(onRequest).toHaveBeenCalledTimes(1)
  expect(onResponse).toHaveBeenCalledTimes(1)
  expect(onResponse.mock.calls[0]?.[0].response.status).toBe(201)
})

test('middleware may respond, and nothing is sent', async () => {
  const { store, requests } = watch(succeed)
  const headers = { Link: '</v1/pets?cursor=b>; rel="next"' }
  const own = { onRequest: () => json([pet], { headers }) }
  store.raw.use(own)
  const page = await store.listPets()
  expect([...page]).toEqual([pet])
  expect(page.next).toEqual({ cursor: 'b' })
  expect((await store.raw.GET('/pets')).data).toEqual([pet])
  store.raw.eject(own)
  const body = { code: 'not_found', message: 'There is none.' }
  store.raw.use({ onRequest: () => json(body, { status: 404 }) })
  expect(await failureOf(store.getPet(1))).toMatchObject({ ...body, status: 404, attempts: 0 })
  expect(requests).toHaveLength(0)
})

const error = new RangeError('broken')
const broken = (): never => {
  throw error
}

test('what middleware throws is thrown unchanged', async () => {
  const { store } = watch(succeed, { maxRetries: 3, maxRetryDelay: 0 })
  store.raw.use({ onResponse: broken })
  expect(await reasonOf(store.listPets())).toBe(error)
  expect(await reasonOf(store.raw.GET('/pets'))).toBe(error)
})

test('onError gets the AnimalStoreError, and may replace it', async () => {
  const { store } = watch(() => Promise.reject(new TypeError('fetch failed')))
  const onError = vi.fn(() => error)
  store.raw.use({ onError })
  expect(await reasonOf(store.listPets())).toBe(error)
  expect(onError).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ error: expect.any(AnimalStoreError) }),
  )
})
