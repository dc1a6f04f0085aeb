import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { type AnimalStoreOptions, createAnimalStore } from '../../client/index.ts'
import { createRandom } from '../helpers/random.ts'
import { startTestService } from '../helpers/service.ts'
import {
  created,
  emptyPage,
  resetAfter,
  respondError,
  serveSockets,
  startScriptedStore,
  truncated,
} from './support/scripted-server.ts'
import { failureOf } from './support/watched-store.ts'

const rex = { name: 'Rex', categoryId: 7 }

/**
 * What the proxy does with a connection: pass everything on, reset it before or after the service
 * has handled the request, truncate the response, delay it, or withhold it.
 */
type Fault = 'none' | 'reset' | 'drop' | 'cut' | 'delay' | 'withhold'

async function startFaultyProxy(origin: string, choose: () => Fault) {
  const faults: Fault[] = []
  const baseUrl = await serveSockets((socket) => {
    // Clients may open connections that they do not use.
    socket.once('data', (first) => {
      const fault = choose()
      faults.push(fault)
      if (fault === 'reset') {
        socket.resetAndDestroy()
        return
      }
      const upstream = connect(Number(new URL(origin).port), '127.0.0.1')
      upstream.on('error', () => socket.destroy())
      upstream.write(first)
      socket.pipe(upstream)
      socket.once('close', () => upstream.destroy())
      if (fault === 'none') upstream.pipe(socket)
      if (fault === 'drop') upstream.once('data', () => socket.resetAndDestroy())
      if (fault === 'cut') upstream.once('data', (data) => socket.end(data.slice(0, -3)))
      if (fault === 'delay') setTimeout(() => upstream.pipe(socket), 50)
      if (fault === 'withhold') upstream.resume()
    })
  })
  return { baseUrl: `${baseUrl}/v1`, faults }
}

/** Starts the service, a client that reaches it through a proxy, and one that does directly. */
async function startBehindProxy(choose: () => Fault, options: Partial<AnimalStoreOptions> = {}) {
  const { origin, apiKey, client: direct } = await startTestService()
  const { baseUrl, faults } = await startFaultyProxy(origin, choose)
  const store = createAnimalStore({ baseUrl, apiKey, retry: { backoff: 1 }, ...options })
  return { store, direct, faults }
}

test.each<readonly Fault[]>([
  ['reset', 'reset', 'reset'],
  ['drop', 'drop', 'drop'],
  ['cut', 'cut', 'cut'],
  ['reset', 'drop', 'cut'],
])('creates once after the faults %s, %s and %s', async (...script) => {
  const faults = [...script]
  const behind = await startBehindProxy(() => faults.shift() ?? 'none')
  const pet = await behind.store.createPet(rex)
  expect([...(await behind.direct.listPets())]).toEqual([pet])
  expect(behind.faults).toEqual([...script, 'none'])
})

test('creates once after responses that never came', async () => {
  const script: Fault[] = ['withhold', 'withhold']
  const { store, direct, faults } = await startBehindProxy(() => script.shift() ?? 'none', {
    timeout: { attempt: 1_000 },
  })
  const pet = await store.createPet(rex)
  expect([...(await direct.listPets())]).toEqual([pet])
  expect(faults.slice(0, 2)).toEqual(['withhold', 'withhold'])
})

test('a create whose every response was lost is found by its idempotency key', async () => {
  let fault: Fault = 'drop'
  const { store, direct } = await startBehindProxy(() => fault)
  const options = { headers: { 'Idempotency-Key': 'order-7' } }
  expect(await failureOf(store.createPet(rex, options))).toMatchObject({ code: 'network_error' })
  const pets = [...(await direct.listPets())]
  expect(pets).toMatchObject([rex])
  fault = 'none'
  expect(await store.createPet(rex, options)).toEqual(pets[0])
  expect(await direct.listPets()).toHaveLength(1)
})

test.each([1, 2])('creates each pet once behind a proxy with random faults (%i)', async (seed) => {
  const random = createRandom(seed)
  const kinds: readonly Fault[] = ['none', 'none', 'delay', 'reset', 'drop', 'cut']
  const choose = () => kinds[Math.floor(random() * kinds.length)] ?? 'none'
  const { store, direct, faults } = await startBehindProxy(choose, {
    retry: { attempts: 60, backoff: 1, longestBackoff: 4 },
  })
  const names = Array.from({ length: 100 }, (_, at) => `Rex ${at}`)
  const pets = await Promise.all(names.map((name) => store.createPet({ name, categoryId: 7 })))
  expect(pets.map(({ name }) => name)).toEqual(names)
  const stored = await Array.fromAsync(direct.listPets())
  expect(stored).toEqual(pets.sort((one, other) => one.id - other.id))
  expect(faults.filter((fault) => fault === 'drop' || fault === 'cut').length).toBeGreaterThan(20)
})

test('every attempt of a call has the same idempotency key and the same bytes', async () => {
  const failures = [respondError(503), resetAfter, truncated]
  const { store, requests } = await startScriptedStore([...failures, created])
  await store.createPet({ ...rex, name: 'Füchsin 🦊' })
  expect(requests).toHaveLength(4)
  const [first, ...others] = requests.map(({ closed, ...request }) => request)
  expect(first?.headers['idempotency-key']).toMatch(/^\S{16,}$/)
  const body = Buffer.from(first?.body ?? '', 'latin1').toString()
  expect(JSON.parse(body)).toEqual({ ...rex, name: 'Füchsin 🦊' })
  for (const other of others) expect(other).toEqual(first)
})

test('every call has an idempotency key of its own', async () => {
  const { store, requests } = await startScriptedStore([created])
  for (const _ of Array(100).keys()) await store.createPet(rex)
  expect(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(100)
})

test.each([
  ['as in the spec', { 'Idempotency-Key': 'order-5' }],
  ['in lower case', { 'idempotency-key': 'order-5' }],
  ['in capitals', { 'IDEMPOTENCY-KEY': 'order-5' }],
])("the caller's idempotency key %s is sent with every attempt", async (_, headers) => {
  const { store, requests } = await startScriptedStore([respondError(503), created])
  await store.createPet(rex, { headers })
  expect(requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['order-5', 'order-5'])
})

test('an undefined idempotency key counts as not given', async () => {
  const { store, requests } = await startScriptedStore([respondError(503), created])
  // @ts-expect-error it compiles where optional properties may be undefined
  await store.createPet(rex, { headers: { 'Idempotency-Key': undefined } })
  const keys = requests.map(({ headers }) => headers['idempotency-key'])
  expect(keys[0]).toMatch(/^\S{16,}$/)
  expect(keys[1]).toBe(keys[0])
})

test('a GET has no idempotency key', async () => {
  const { store, requests } = await startScriptedStore([emptyPage])
  await store.listPets()
  expect(requests[0]?.headers).not.toHaveProperty('idempotency-key')
})

test('raw.POST is sent again only with an idempotency key', async () => {
  const without = await startScriptedStore([respondError(503), resetAfter, created])
  const { response } = await without.store.raw.POST('/pets', { body: rex })
  expect(response.status).toBe(503)
  const error = await failureOf(without.store.raw.POST('/pets', { body: rex }))
  expect(error).toMatchObject({ operationId: 'POST /v1/pets', code: 'network_error', attempts: 1 })
  expect(without.requests).toHaveLength(2)

  const params = { header: { 'Idempotency-Key': 'order-6' } }
  const withKey = await startScriptedStore([respondError(503), resetAfter, created])
  const { data } = await withKey.store.raw.POST('/pets', { body: rex, params })
  expect(data).toMatchObject({ id: 1 })
  expect(withKey.requests.map(({ body }) => body)).toEqual(Array(3).fill(JSON.stringify(rex)))
})

test('raw.GET is sent again', async () => {
  const { store, requests } = await startScriptedStore([respondError(503), resetAfter, emptyPage])
  expect((await store.raw.GET('/pets')).data).toEqual([])
  expect(requests).toHaveLength(3)
})
