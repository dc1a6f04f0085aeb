import { expect, test } from 'vitest'
import { created, emptyPage, refuse, resetAfter, truncated } from './support/behaviours.ts'
import { failureOf } from './support/failure-of.ts'
import { startScriptedStore } from './support/scripted-store.ts'

const rex = { name: 'Rex', categoryId: 7 }

test('every attempt of a call carries the same key and the same bytes', async () => {
  const faults = [refuse(503), resetAfter, truncated]
  const { store, requests } = await startScriptedStore([...faults, created])
  await store.createPet({ ...rex, name: 'Füchsin 🦊' })
  expect(requests).toHaveLength(4)
  const [first, ...others] = requests.map(({ closed, ...request }) => request)
  expect(first?.headers['idempotency-key']).toMatch(/^\S{16,}$/)
  expect(Buffer.from(first?.body ?? '', 'latin1').toString()).toBe(
    '{"name":"Füchsin 🦊","categoryId":7}',
  )
  for (const other of others) expect(other).toEqual(first)
})

test('every call has a key of its own', async () => {
  const { store, requests } = await startScriptedStore([created])
  for (const _ of Array(100).keys()) await store.createPet(rex)
  expect(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(100)
})

test("the caller's own key is kept, on every attempt", async () => {
  const { store, requests } = await startScriptedStore([refuse(503), created])
  await store.createPet(rex, { headers: { 'Idempotency-Key': 'order-5' } })
  expect(requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['order-5', 'order-5'])
})

test('a key that the caller does not have counts as not given', async () => {
  const { store, requests } = await startScriptedStore([refuse(503), created])
  // @ts-expect-error: it compiles where optional properties may be undefined
  await store.createPet(rex, { headers: { 'Idempotency-Key': undefined } })
  const keys = requests.map(({ headers }) => headers['idempotency-key'])
  expect(keys[0]).toMatch(/^\S{16,}$/)
  expect(keys[1]).toBe(keys[0])
})

test('what reads only has no key', async () => {
  const { store, requests } = await startScriptedStore([emptyPage])
  await store.listPets()
  expect(requests[0]?.headers).not.toHaveProperty('idempotency-key')
})

test('a POST beneath the methods is sent again only with a key', async () => {
  const without = await startScriptedStore([refuse(503), created])
  const { response } = await without.store.raw.POST('/pets', { body: rex })
  expect(response.status).toBe(503)
  expect(without.requests).toHaveLength(1)

  const params = { header: { 'Idempotency-Key': 'order-6' } }
  const withKey = await startScriptedStore([refuse(503), resetAfter, created])
  const { data } = await withKey.store.raw.POST('/pets', { body: rex, params })
  expect(data).toMatchObject({ id: 1 })
  expect(withKey.requests.map(({ body }) => body)).toEqual(Array(3).fill(JSON.stringify(rex)))
})

test('a POST without a key whose connection was reset is not sent again', async () => {
  const { store, requests } = await startScriptedStore([resetAfter, created])
  const error = await failureOf(store.raw.POST('/pets', { body: rex }))
  expect(error).toMatchObject({ operationId: 'POST /v1/pets', code: 'network_error', attempts: 1 })
  expect(requests).toHaveLength(1)
})

test('a GET beneath the methods is sent again', async () => {
  const { store, requests } = await startScriptedStore([refuse(503), resetAfter, emptyPage])
  expect((await store.raw.GET('/pets')).data).toEqual([])
  expect(requests).toHaveLength(3)
})
