import { afterEach, expect, test, vi } from 'vitest'
import { startTestService } from '../support/service.ts'
import { json, watch, watchService } from './support/watched-store.ts'

afterEach(() => vi.restoreAllMocks())

test('onDeprecation is told once of what the service is to lose, and of nothing else', async () => {
  const onDeprecation = vi.fn()
  const { store } = watchService(await startTestService(), { onDeprecation })
  const { id } = await store.createPet({ name: 'Rex', categoryId: 7 })
  await store.listPets()
  await Promise.all([store.getPet(id), store.getPet(id)])
  await store.getPet(9).catch(() => undefined)
  expect(onDeprecation.mock.calls).toEqual([
    [
      {
        operationId: 'getPet',
        since: new Date('2026-11-20T00:00:00Z'),
        sunset: new Date('2030-12-05T00:00:00Z'),
        replacement: 'GET /pets with the status filter',
      },
    ],
  ])
})

test('each client tells of it anew, and is told by an error as well', async () => {
  const onDeprecation = vi.fn()
  const service = await startTestService()
  for (let clients = 0; clients < 2; clients++) {
    const { store } = watchService(service, { onDeprecation })
    await store.getPet(9).catch(() => undefined)
  }
  expect(onDeprecation).toHaveBeenCalledTimes(2)
})

test('the console warns once when nobody is named', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const service = await startTestService()
  const { id } = await service.client.createPet({ name: 'Rex', categoryId: 7 })
  await service.client.getPet(id)
  await service.client.getPet(id)
  expect(warn.mock.calls).toEqual([
    [
      'animal-store-client: deprecated:',
      expect.objectContaining({
        operationId: 'getPet',
        sunset: new Date('2030-12-05T00:00:00Z'),
        replacement: 'GET /pets with the status filter',
      }),
    ],
  ])
})

test('times that cannot be read are not told', async () => {
  const onDeprecation = vi.fn()
  const headers = { Deprecation: 'yes', Sunset: 'soon' }
  await watch(() => json(1, { headers }), { onDeprecation }).store.getPet(1)
  expect(onDeprecation).toHaveBeenCalledExactlyOnceWith({
    operationId: 'getPet',
    since: undefined,
    sunset: undefined,
    replacement: 'GET /pets with the status filter',
  })
})

test('an operation that only the service calls deprecated is told of, without a replacement', async () => {
  const onDeprecation = vi.fn()
  const headers = { Deprecation: '@0' }
  await watch(() => json([], { headers }), { onDeprecation }).store.listPets()
  expect(onDeprecation).toHaveBeenCalledExactlyOnceWith({
    operationId: 'listPets',
    since: new Date(0),
    sunset: undefined,
    replacement: undefined,
  })
})

test('of what is called beneath the methods nobody is told, whatever it is called with', async () => {
  const onDeprecation = vi.fn()
  const { store } = watch(() => json(1, { headers: { Deprecation: '@0' } }), { onDeprecation })
  for (let petId = 1; petId <= 1_000; petId++) {
    await store.raw.GET('/pets/{petId}', { params: { path: { petId } } })
  }
  expect(onDeprecation).not.toHaveBeenCalled()
  await store.getPet(1)
  expect(onDeprecation).toHaveBeenCalledTimes(1)
})
