import { expect, test } from 'vitest'
import { type AnimalStoreOptions, createAnimalStore } from '../../client/index.ts'
import { createRandom } from '../support/random.ts'
import { startTestService } from '../support/service.ts'
import { created, refuse } from './support/behaviours.ts'
import { type Fault, startFaultyProxy } from './support/faulty-proxy.ts'
import { startScriptedStore } from './support/scripted-store.ts'

const rex = { name: 'Rex', categoryId: 7 }

/** The real service, a client that reaches it through a proxy, and one that reaches it directly. */
async function startBehindProxy(choose: () => Fault, options: Partial<AnimalStoreOptions> = {}) {
  const { origin, apiKey, client: direct } = await startTestService()
  const { baseUrl, counts } = await startFaultyProxy(origin, choose)
  const store = createAnimalStore({ baseUrl, apiKey, retry: { backoff: 1 }, ...options })
  return { store, direct, counts }
}

test('503 three times and then 201 takes four attempts', async () => {
  const { store, requests } = await startScriptedStore([...Array(3).fill(refuse(503)), created])
  expect(await store.createPet(rex)).toEqual({ id: 1, ...rex })
  expect(requests).toHaveLength(4)
})

test.each<readonly Fault[]>([
  ['refuse', 'refuse', 'refuse'],
  ['drop', 'drop', 'drop'],
  ['cut', 'cut', 'cut'],
  ['refuse', 'drop', 'cut'],
])('after the faults %s, %s and %s there is exactly one animal', async (...faults) => {
  const script = [...faults]
  const { store, direct, counts } = await startBehindProxy(() => script.shift() ?? 'none')
  const pet = await store.createPet(rex)
  expect([...(await direct.listPets())]).toEqual([pet])
  expect(counts.none).toBe(1)
})

test('after answers that never came there is exactly one animal', async () => {
  const script: Fault[] = ['withhold', 'withhold']
  const { store, direct, counts } = await startBehindProxy(() => script.shift() ?? 'none', {
    timeout: { attempt: 1_000 },
  })
  const pet = await store.createPet(rex)
  expect([...(await direct.listPets())]).toEqual([pet])
  expect(counts.withhold).toBe(2)
})

test('an animal whose every answer was dropped is there once, and its key finds it again', async () => {
  let fault: Fault = 'drop'
  const { store, direct } = await startBehindProxy(() => fault)
  const options = { headers: { 'Idempotency-Key': 'order-7' } }
  await expect(store.createPet(rex, options)).rejects.toMatchObject({ code: 'network_error' })
  const pets = [...(await direct.listPets())]
  expect(pets).toMatchObject([rex])
  fault = 'none'
  expect(await store.createPet(rex, options)).toEqual(pets[0])
  expect(await direct.listPets()).toHaveLength(1)
})

test.each([1, 2, 3])('as many animals as creates, by a proxy at random (seed %i)', async (seed) => {
  const random = createRandom(seed)
  const faults: readonly Fault[] = ['none', 'none', 'delay', 'refuse', 'drop', 'cut']
  const choose = () => faults[Math.floor(random() * faults.length)] ?? 'none'
  const { store, direct, counts } = await startBehindProxy(choose, {
    retry: { attempts: 60, backoff: 1, longestBackoff: 4 },
  })
  const names = Array.from({ length: 100 }, (_, at) => `Rex ${at}`)
  const pets = await Promise.all(names.map((name) => store.createPet({ name, categoryId: 7 })))
  expect(pets.map(({ name }) => name)).toEqual(names)
  const stored = await Array.fromAsync(direct.listPets())
  expect(stored).toEqual(pets.sort((one, other) => one.id - other.id))
  expect(counts.drop + counts.cut).toBeGreaterThan(20)
})
