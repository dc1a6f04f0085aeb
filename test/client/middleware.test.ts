import type { Middleware } from 'openapi-fetch'
import { expect, test, vi } from 'vitest'
import { AnimalStoreError } from '../../client/index.ts'
import {
  emptyPage,
  respondError,
  startScriptedStore,
  truncated,
} from './support/scripted-server.ts'
import { failureOf, json, reasonOf, watch } from './support/watched-store.ts'

const rex = { name: 'Rex', categoryId: 7 }
const animal = { id: 1, ...rex }
const marking: Middleware = {
  onRequest: ({ request }) => request.headers.set('X-Mark', 'seen'),
}

test.each([
  ['before the first call', 0],
  ['after the first call', 1],
])('the methods run middleware that is added %s', async (_, calls) => {
  const { store, requests } = watch(() => json([]))
  for (let call = 0; call < calls; call++) await store.listPets()
  store.raw.use(marking)
  await store.listPets()
  await Array.fromAsync(store.listPets())
  const marks = requests.map(({ headers }) => headers.get('x-mark'))
  expect(marks).toEqual([...Array(calls).fill(null), 'seen', 'seen'])
})

test('middleware that was ejected does not run', async () => {
  const { store, requests } = watch(() => json([]))
  store.raw.use(marking)
  await store.listPets()
  store.raw.eject(marking)
  await store.listPets()
  await store.raw.GET('/pets')
  expect(requests.map(({ headers }) => headers.get('x-mark'))).toEqual(['seen', null, null])
})

test('middleware may replace the Request, which is retried with its body and key', async () => {
  const { store, requests } = watch(
    (_, number) => json(animal, { status: number < 3 ? 503 : 201 }),
    { retry: { backoff: 0 } },
  )
  store.raw.use({
    onRequest({ request }) {
      expect(request).toBeInstanceOf(Request)
      return new Request(request, { headers: [...request.headers, ['X-Mark', 'other']] })
    },
  })
  expect(await store.createPet(rex)).toEqual(animal)
  expect(await Promise.all(requests.map((request) => request.json()))).toEqual([rex, rex, rex])
  const sent = requests.map(({ headers }) => headers.get('x-mark'))
  expect(sent).toEqual(['other', 'other', 'other'])
  const keys = requests.map(({ headers }) => headers.get('idempotency-key'))
  expect(keys[0]).toMatch(/^\S{16,}$/)
  expect(new Set(keys).size).toBe(1)
})

test('middleware may respond, and nothing is sent', async () => {
  const { store, requests } = watch(() => json([]))
  const kept = json([animal], { headers: { Link: '</v1/pets?cursor=b>; rel="next"' } })
  store.raw.use({ onRequest: () => kept.clone() })
  const page = await store.listPets()
  expect([...page]).toEqual([animal])
  expect(page.next).toEqual({ cursor: 'b' })
  expect((await store.raw.GET('/pets')).data).toEqual([animal])
  expect(requests).toHaveLength(0)
})

test('an error response of middleware is an AnimalStoreError without attempts', async () => {
  const { store } = watch(() => json([]))
  const body = { code: 'not_found', message: 'There is none.' }
  store.raw.use({ onRequest: () => json(body, { status: 404 }) })
  expect(await failureOf(store.getPet(1))).toMatchObject({ ...body, status: 404, attempts: 0 })
})

test('middleware may read a clone of the response, or replace it', async () => {
  const { store } = watch(() => json(animal))
  const read: unknown[] = []
  const watching: Middleware = {
    async onResponse({ response }) {
      read.push(await response.clone().json())
    },
  }
  store.raw.use(watching)
  expect(await store.getPet(1)).toEqual(animal)
  expect((await store.raw.GET('/pets/{petId}', { params: { path: { petId: 1 } } })).data).toEqual(
    animal,
  )
  expect(read).toEqual([animal, animal])
  store.raw.eject(watching)
  store.raw.use({
    async onResponse({ response }) {
      return Response.json({ ...(await response.json()), name: 'Mia' })
    },
  })
  expect(await store.getPet(1)).toEqual({ ...animal, name: 'Mia' })
})

test('middleware runs once a call, above its attempts', async () => {
  const [onRequest, onResponse] = [vi.fn(), vi.fn()]
  const faults = [respondError(503), respondError(503)]
  const { store, requests } = await startScriptedStore([...faults, emptyPage])
  store.raw.use({ onRequest, onResponse })
  await store.listPets()
  expect(requests).toHaveLength(3)
  expect(onRequest).toHaveBeenCalledTimes(1)
  expect(onResponse).toHaveBeenCalledTimes(1)
  expect(onResponse.mock.calls[0]?.[0].response.status).toBe(200)
})

test('a response is read whole before it is returned, as a stream too', async () => {
  const { store, requests } = await startScriptedStore([truncated, emptyPage])
  const { data } = await store.raw.GET('/pets', { parseAs: 'stream' })
  expect(await new Response(data).text()).toBe('[]')
  expect(requests).toHaveLength(2)
})

const error = new RangeError('broken')
const fail = (): never => {
  throw error
}

test.each([
  ['onRequest', { onRequest: fail }],
  ['onResponse', { onResponse: fail }],
])('what %s throws is thrown unchanged', async (_, middleware) => {
  const { store } = watch(() => json([]), { retry: { backoff: 0 } })
  store.raw.use(middleware)
  expect(await reasonOf(store.listPets())).toBe(error)
  expect(await reasonOf(store.raw.GET('/pets'))).toBe(error)
})

test('onError gets the AnimalStoreError, and may replace it', async () => {
  const { store } = watch(() => Promise.reject(new TypeError('fetch failed')))
  const [received, other]: [unknown[], Error] = [[], new Error('other')]
  store.raw.use({
    onError({ error }) {
      received.push(error)
      return other
    },
  })
  expect(await reasonOf(store.listPets())).toBe(other)
  expect(received).toEqual([expect.any(AnimalStoreError)])
})
