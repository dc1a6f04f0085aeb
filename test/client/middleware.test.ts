import type { Middleware } from 'openapi-fetch'
import { expect, test, vi } from 'vitest'
import { AnimalStoreError } from '../../client/index.ts'
import { emptyPage, refuse, truncated } from './support/behaviours.ts'
import { startScriptedStore } from './support/scripted-store.ts'
import { json, watch } from './support/watched-store.ts'

const rex = { name: 'Rex', categoryId: 7 }
const animal = { id: 1, ...rex }
const marking: Middleware = {
  onRequest: ({ request }) => request.headers.set('X-Mark', 'seen'),
}

test.each([
  ['before the first call', 0],
  ['after the first call', 1],
])('the methods pass through middleware that is put in %s', async (_, calls) => {
  const { store, requests } = watch(() => json([]))
  for (let call = 0; call < calls; call++) await store.listPets()
  store.raw.use(marking)
  await store.listPets()
  await Array.fromAsync(store.listPets())
  const marks = requests.map(({ headers }) => headers.get('x-mark'))
  expect(marks).toEqual([...Array(calls).fill(null), 'seen', 'seen'])
})

test('middleware gets requests of the platform', async () => {
  const { store } = watch(() => json([]))
  const got: unknown[] = []
  store.raw.use({ onRequest: ({ request }) => void got.push(request) })
  await store.listPets()
  expect(got).toEqual([expect.any(Request)])
})

test('middleware that is taken out is not passed through any longer', async () => {
  const { store, requests } = watch(() => json([]))
  store.raw.use(marking)
  await store.listPets()
  store.raw.eject(marking)
  await store.listPets()
  await store.raw.GET('/pets')
  expect(requests.map(({ headers }) => headers.get('x-mark'))).toEqual(['seen', null, null])
})

test('middleware may put another request in the place of that of a call', async () => {
  const { store, requests } = watch(() => json(animal, { status: 201 }))
  store.raw.use({
    onRequest({ request }) {
      const headers = new Headers(request.headers)
      headers.set('X-Mark', 'other')
      return new Request(request, { headers })
    },
  })
  expect(await store.createPet(rex)).toEqual(animal)
  const [sent] = requests
  expect(sent?.headers.get('x-mark')).toBe('other')
  expect(sent?.headers.get('idempotency-key')).toMatch(/^\S{16,}$/)
  expect(await sent?.json()).toEqual(rex)
})

test('a request of middleware is sent again like any other, with its body and its key', async () => {
  const { store, requests } = watch(
    (_, number) => (number < 3 ? json({}, { status: 503 }) : json(animal, { status: 201 })),
    { retry: { backoff: 0 } },
  )
  store.raw.use({ onRequest: ({ request }) => new Request(request, { headers: request.headers }) })
  expect(await store.createPet(rex)).toEqual(animal)
  expect(await Promise.all(requests.map((request) => request.json()))).toEqual([rex, rex, rex])
  expect(new Set(requests.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
})

test('middleware may answer by itself, and nothing is sent', async () => {
  const { store, requests } = watch(() => json([]))
  const kept = json([animal], { headers: { Link: '</v1/pets?cursor=b>; rel="next"' } })
  store.raw.use({ onRequest: () => kept.clone() })
  const page = await store.listPets()
  expect([...page]).toEqual([animal])
  expect(page.next).toEqual({ cursor: 'b' })
  expect((await store.raw.GET('/pets')).data).toEqual([animal])
  expect(requests).toHaveLength(0)
})

test('a refusal that middleware gives is an error like that of the service', async () => {
  const { store } = watch(() => json([]))
  const refusal = { code: 'not_found', message: 'There is none.' }
  store.raw.use({ onRequest: () => json(refusal, { status: 404 }) })
  const error: unknown = await store.getPet(1).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(AnimalStoreError)
  expect(error).toMatchObject({ ...refusal, status: 404, attempts: 0 })
})

test('middleware may read a copy of an answer, or put another in its place', async () => {
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

test('middleware runs once a call, however many attempts there are beneath it', async () => {
  const [onRequest, onResponse] = [vi.fn(), vi.fn()]
  const faults = [refuse(503), refuse(503)]
  const { store, requests } = await startScriptedStore([...faults, emptyPage])
  store.raw.use({ onRequest, onResponse })
  await store.listPets()
  expect(requests).toHaveLength(3)
  expect(onRequest).toHaveBeenCalledTimes(1)
  expect(onResponse).toHaveBeenCalledTimes(1)
  expect(onResponse.mock.calls[0]?.[0].response.status).toBe(200)
})

test('an answer is read whole before anybody sees it, when it is asked for as a stream too', async () => {
  const { store, requests } = await startScriptedStore([truncated, emptyPage])
  const { data } = await store.raw.GET('/pets', { parseAs: 'stream' })
  expect(await new Response(data).text()).toBe('[]')
  expect(requests).toHaveLength(2)
})
