import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { type AnimalStoreOptions, createAnimalStore } from '../../client/index.ts'
import { createRandom } from '../helpers/random.ts'
import { startTestService } from '../helpers/service.ts'
import { failureOf, rex } from './support/client.ts'
import {
  created,
  emptyPage,
  resetAfter,
  respondError,
  serveSockets,
  stall,
  startScriptedStore,
  truncated,
} from './support/scripted-server.ts'

/**
 * What the proxy does with a connection: pass everything on, reset it before or after the service
 * has handled the request, truncate the response, delay it, or withhold it.
 */
type Fault = 'none' | 'reset' | 'drop' | 'cut' | 'delay' | 'withhold'

/** Starts the service, a client that reaches it through a proxy, and one that does directly. */
async function startBehindProxy(choose: () => Fault, options: Partial<AnimalStoreOptions> = {}) {
  const { origin, apiKey, client: direct } = await startTestService()
  const faults: Fault[] = []
  const proxy = await serveSockets((socket) => {
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
  const retry = { attempts: 60, backoff: 1, longestBackoff: 4 }
  const store = createAnimalStore({ baseUrl: `${proxy}/v1`, apiKey, retry, ...options })
  return { store, direct, faults }
}

test.each<readonly Fault[]>([
  ['reset', 'drop', 'cut'],
  ['drop', 'drop', 'drop'],
  ['withhold', 'withhold', 'drop'],
])('creates once after the faults %s, %s and %s', async (...script) => {
  const left = [...script]
  const timeout = { attempt: 500 }
  const behind = await startBehindProxy(() => left.shift() ?? 'none', { timeout })
  const pet = await behind.store.createPet(rex)
  expect([...(await behind.direct.listPets())]).toEqual([pet])
  expect(behind.faults.slice(0, 4)).toEqual([...script, 'none'])
})

test('a create whose every response was lost is found by its idempotency key', async () => {
  let fault: Fault = 'drop'
  const { store, direct } = await startBehindProxy(() => fault, { retry: { backoff: 1 } })
  const options = { headers: { 'Idempotency-Key': 'order-7' } }
  expect(await failureOf(store.createPet(rex, options))).toMatchObject({ code: 'network_error' })
  const pets = [...(await direct.listPets())]
  expect(pets).toMatchObject([rex])
  fault = 'none'
  expect(await store.createPet(rex, options)).toEqual(pets[0])
  expect(await direct.listPets()).toHaveLength(1)
})

test('creates each pet once behind a proxy with random faults', async () => {
  const random = createRandom(1)
  const kinds: readonly Fault[] = ['none', 'none', 'delay', 'reset', 'drop', 'cut']
  const choose = () => kinds[Math.floor(random() * kinds.length)] ?? 'none'
  const { store, direct, faults } = await startBehindProxy(choose)
  const names = Array.from({ length: 60 }, (_, at) => `Rex ${at}`)
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

test('every create has an idempotency key of its own, and a GET has none', async () => {
  const { store, requests } = await startScriptedStore([...Array(100).fill(created), emptyPage])
  for (const _ of Array(100).keys()) await store.createPet(rex)
  await store.listPets()
  const keys = requests.map(({ headers }) => headers['idempotency-key'])
  expect(new Set(keys.slice(0, 100)).size).toBe(100)
  expect([keys[0], keys[100]]).toEqual([expect.any(String), undefined])
})

test.each([
  ['as in the spec', { 'Idempotency-Key': 'order-5' }, /^order-5$/],
  ['in lower case', { 'idempotency-key': 'order-5' }, /^order-5$/],
  ['in capitals', { 'IDEMPOTENCY-KEY': 'order-5' }, /^order-5$/],
  ['that is undefined, and so not given,', { 'Idempotency-Key': undefined }, /^\S{16,}$/],
])("the caller's idempotency key %s is sent with every attempt", async (_, headers, sent) => {
  const { store, requests } = await startScriptedStore([respondError(503), created])
  // Some types of headers compile only where optional properties may be undefined.
  await Reflect.apply(store.createPet, store, [rex, { headers }])
  const [first, second] = requests.map(({ headers }) => headers['idempotency-key'])
  expect(first).toMatch(sent)
  expect(second).toBe(first)
})

test('raw.POST is sent again only with an idempotency key, and raw.GET always', async () => {
  const without = await startScriptedStore([respondError(503), resetAfter, created])
  const { response } = await without.store.raw.POST('/pets', { body: rex })
  expect(response.status).toBe(503)
  const error = await failureOf(without.store.raw.POST('/pets', { body: rex }))
  expect(error).toMatchObject({ operationId: 'POST /v1/pets', code: 'network_error', attempts: 1 })
  expect(without.requests).toHaveLength(2)
  const late = await startScriptedStore([stall, created], { timeout: { attempt: 20 } })
  const ended = await failureOf(late.store.raw.POST('/pets', { body: rex }))
  expect(ended).toMatchObject({ code: 'timeout', attempts: 1 })

  const params = { header: { 'Idempotency-Key': 'order-6' } }
  const failures = [respondError(503), resetAfter]
  const withKey = await startScriptedStore([...failures, created, ...failures, emptyPage])
  const { data } = await withKey.store.raw.POST('/pets', { body: rex, params })
  expect(data).toMatchObject({ id: 1 })
  expect(withKey.requests.map(({ body }) => body)).toEqual(Array(3).fill(JSON.stringify(rex)))
  expect((await withKey.store.raw.GET('/pets')).data).toEqual([])
  expect(withKey.requests).toHaveLength(6)
})
