import { afterEach, expect, test, vi } from 'vitest'
import type { RateLimit } from '../../client/index.ts'
import { operations } from '../../generated/operations.ts'
import { startTestService } from '../helpers/service.ts'
import { failureOf, json, watch, watchService } from './support/watched-store.ts'

afterEach(() => vi.restoreAllMocks())

const limited = {
  'X-RateLimit-Limit': '60',
  'X-RateLimit-Remaining': '59',
  'X-RateLimit-Reset': '1795132860',
}
const unavailable = { code: 'unavailable', message: 'Retry later.' }

test('onRateLimit is called with every response of the service, errors too', async () => {
  const service = await startTestService()
  const { key: apiKey } = await service.issue({ perMinute: 3, perDay: 50 })
  const events: RateLimit[] = []
  const { store } = watchService(service, { apiKey, onRateLimit: (event) => events.push(event) })
  await store.listPets()
  await store.getPet(9).catch(() => undefined)
  await store.raw.POST('/pets', { body: { name: '', categoryId: 7 } })
  await store.listPets().catch(() => undefined)
  const remaining = [2, 1, 0, 0]
  expect(events.map(({ limit }) => limit)).toEqual([3, 3, 3, 3])
  expect(events.map((event) => event.remaining)).toEqual(remaining)
  for (const { reset } of events) expect(reset).toBeInstanceOf(Date)
})

test('onRateLimit is called for each attempt', async () => {
  const onRateLimit = vi.fn()
  const { store } = watch(
    (_, number) => json(unavailable, { status: number < 3 ? 503 : 200, headers: limited }),
    { retry: { backoff: 0 }, onRateLimit },
  )
  await store.getPet(1)
  const rateLimit = { limit: 60, remaining: 59, reset: new Date('2026-11-20T00:01:00Z') }
  expect(onRateLimit.mock.calls).toEqual([[rateLimit], [rateLimit], [rateLimit]])
})

test.each([
  ['absent', {}],
  ['incomplete', { ...limited, 'X-RateLimit-Reset': '' }],
  ['words', { ...limited, 'X-RateLimit-Limit': 'sixty' }],
  ['fractions', { ...limited, 'X-RateLimit-Remaining': '0.5' }],
  ['negative', { ...limited, 'X-RateLimit-Remaining': '-1' }],
  ['a date', { ...limited, 'X-RateLimit-Reset': 'Fri, 20 Nov 2026 00:01:00 GMT' }],
  ['out of range', { ...limited, 'X-RateLimit-Reset': '9'.repeat(13) }],
  ['repeated', { ...limited, 'X-RateLimit-Limit': '60, 60' }],
])('rate limit headers that are %s are ignored', async (_, headers: Record<string, string>) => {
  const onRateLimit = vi.fn()
  await watch(() => json(1, { headers }), { onRateLimit }).store.getPet(1)
  expect(onRateLimit).not.toHaveBeenCalled()
})

const fail = () => {
  throw new Error('broken')
}

test.each([
  ['throw', fail],
  ['reject', async () => fail()],
])('hooks that %s fail no call, and are logged', async (_, hook: () => void) => {
  const logged = vi.spyOn(console, 'error').mockReturnValue()
  const headers = { ...limited, Deprecation: '@0' }
  const { store } = watch(
    (_, number) => json({ id: 1 }, { status: number === 1 ? 500 : 200, headers }),
    { onRateLimit: hook, onDeprecation: hook, onRetry: hook, retry: { backoff: 0 } },
  )
  expect(await store.getPet(1)).toEqual({ id: 1 })
  // A hook may reject later; an unhandled rejection fails the run.
  await new Promise(setImmediate)
  expect(logged).toHaveBeenCalledTimes(4)
  for (const call of logged.mock.calls) expect(call.at(-1)).toEqual(new Error('broken'))
})

test('without hooks nothing is logged', async () => {
  const logged = vi.spyOn(console, 'error')
  const { store } = watch(
    (_, number) => json(unavailable, { status: number === 1 ? 503 : 200, headers: limited }),
    { retry: { backoff: 0 } },
  )
  await store.getPet(1)
  expect(logged).not.toHaveBeenCalled()
})

const { since, sunset, replacedBy } = operations.getPet.deprecation
const deprecated = {
  operationId: 'getPet',
  since: new Date(since),
  sunset: new Date(sunset),
  replacement: replacedBy.description,
}

test('onDeprecation is called once per client and operation, on errors too', async () => {
  const onDeprecation = vi.fn()
  const service = await startTestService()
  const { store } = watchService(service, { onDeprecation })
  const { id } = await store.createPet({ name: 'Rex', categoryId: 7 })
  await store.listPets()
  await Promise.all([store.getPet(id), store.getPet(id)])
  await store.getPet(9).catch(() => undefined)
  expect(onDeprecation.mock.calls).toEqual([[deprecated]])
  await failureOf(watchService(service, { onDeprecation }).store.getPet(9))
  expect(onDeprecation.mock.calls).toEqual([[deprecated], [deprecated]])
})

test('without onDeprecation the console warns once', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const { client } = await startTestService()
  const { id } = await client.createPet({ name: 'Rex', categoryId: 7 })
  await client.getPet(id)
  await client.getPet(id)
  expect(warn).toHaveBeenCalledTimes(1)
  expect(warn.mock.calls[0]?.at(-1)).toEqual(deprecated)
})

test.each([
  ['dates that cannot be read', { Deprecation: 'yes', Sunset: 'soon' }, undefined],
  ['no sunset', { Deprecation: '@0' }, new Date(0)],
])('onDeprecation reports %s as undefined', async (_, headers, since) => {
  const onDeprecation = vi.fn()
  await watch(() => json(1, { headers }), { onDeprecation }).store.getPet(1)
  expect(onDeprecation.mock.calls).toEqual([[{ ...deprecated, since, sunset: undefined }]])
})

test('onDeprecation reports what only the response deprecates, without replacement', async () => {
  const onDeprecation = vi.fn()
  const headers = { Deprecation: '@0' }
  await watch(() => json([], { headers }), { onDeprecation }).store.listPets()
  const event = { operationId: 'listPets', since: new Date(0) }
  expect(onDeprecation).toHaveBeenCalledExactlyOnceWith({
    ...event,
    sunset: undefined,
    replacement: undefined,
  })
})

test('onDeprecation is not called for raw requests', async () => {
  const onDeprecation = vi.fn()
  const { store } = watch(() => json(1, { headers: { Deprecation: '@0' } }), { onDeprecation })
  await store.raw.GET('/pets/{petId}', { params: { path: { petId: 1 } } })
  expect(onDeprecation).not.toHaveBeenCalled()
  await store.getPet(1)
  expect(onDeprecation).toHaveBeenCalledTimes(1)
})
