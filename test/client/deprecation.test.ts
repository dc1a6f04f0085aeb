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
      'animal-store-client: getPet is deprecated and goes on 2030-12-05. ' +
        'Use GET /pets with the status filter instead.',
    ],
  ])
})

// biome-ignore format: a table
test.each([
  ['later ones', { Deprecation: '@1767225600', Sunset: 'Sat, 01 Jan 2028 00:00:00 GMT' }, '2026-01-01', '2028-01-01'],
  ['none', {}, '2026-11-20', '2030-12-05'],
  ['broken ones', { Deprecation: 'yes', Sunset: 'soon' }, '2026-11-20', '2030-12-05'],
])('the times of an answer count before those of the contract: %s', async (_, headers: Record<string, string>, since, sunset) => {
  const onDeprecation = vi.fn()
  await watch(() => json(1, { headers }), { onDeprecation }).store.getPet(1)
  const times = { since: new Date(since), sunset: new Date(sunset) }
  expect(onDeprecation).toHaveBeenCalledExactlyOnceWith(expect.objectContaining(times))
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
