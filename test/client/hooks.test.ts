import { afterEach, expect, test, vi } from 'vitest'
import type { AnimalStoreOptions, RateLimit } from '../../client/index.ts'
import { examples } from '../../generated/examples.ts'
import { startTestService } from '../support/service.ts'
import { json, watch, watchService } from './support/watched-store.ts'

afterEach(() => vi.restoreAllMocks())

const limited = {
  'X-RateLimit-Limit': '60',
  'X-RateLimit-Remaining': '59',
  'X-RateLimit-Reset': '1795132860',
}

test('onRateLimit is told with every answer of the service, errors too', async () => {
  const service = await startTestService()
  const { key: apiKey } = await service.issue({ perMinute: 3, perDay: 50 })
  const told: RateLimit[] = []
  const onRateLimit: AnimalStoreOptions['onRateLimit'] = (rateLimit) => void told.push(rateLimit)
  const { store } = watchService(service, { apiKey, retry: false, onRateLimit })
  await store.listPets()
  await store.getPet(9).catch(() => undefined)
  await store.raw.POST('/pets', { body: { name: '', categoryId: 7 } })
  await store.listPets().catch(() => undefined)
  expect(told.map(({ limit, remaining }) => [limit, remaining])).toEqual([
    [3, 2],
    [3, 1],
    [3, 0],
    [3, 0],
  ])
  for (const { reset } of told) expect(reset).toBeInstanceOf(Date)
})

test('onRateLimit is told with each attempt, and reset is the time that the service named', async () => {
  const onRateLimit = vi.fn()
  const headers = { ...limited, 'Retry-After': '0' }
  const { store } = watch(
    (_, number) =>
      number < 3
        ? json(examples.getPet[503].bodies.unavailable, { status: 503, headers })
        : json(1),
    { retry: {}, onRateLimit },
  )
  await store.getPet(1)
  const rateLimit = { limit: 60, remaining: 59, reset: new Date('2026-11-20T00:01:00Z') }
  expect(onRateLimit.mock.calls).toEqual([[rateLimit], [rateLimit]])
})

test.each([
  ['absent', {}],
  ['one short', { ...limited, 'X-RateLimit-Reset': '' }],
  ['words', { ...limited, 'X-RateLimit-Limit': 'sixty' }],
  ['fractions', { ...limited, 'X-RateLimit-Remaining': '0.5' }],
  ['negative', { ...limited, 'X-RateLimit-Remaining': '-1' }],
  ['a date', { ...limited, 'X-RateLimit-Reset': 'Fri, 20 Nov 2026 00:01:00 GMT' }],
  ['beyond all time', { ...limited, 'X-RateLimit-Reset': '9'.repeat(13) }],
  ['there twice', { ...limited, 'X-RateLimit-Limit': '60, 60' }],
])('limit headers that are %s are not told', async (_, headers: Record<string, string>) => {
  const onRateLimit = vi.fn()
  await watch(() => json(1, { headers }), { onRateLimit }).store.getPet(1)
  expect(onRateLimit).not.toHaveBeenCalled()
})

test.each([
  [
    'throw',
    () => {
      throw new Error('broken')
    },
  ],
  [
    'reject',
    async () => {
      throw new Error('broken')
    },
  ],
])(
  'callbacks that %s break nothing, and are shown on the console',
  async (_, callback: () => void) => {
    const shown = vi.spyOn(console, 'error').mockReturnValue()
    const headers = { ...limited, Deprecation: '@0' }
    const hooks = { onRateLimit: callback, onDeprecation: callback, onRetry: callback }
    const { store } = watch(
      (_, number) => json({ id: 1 }, { status: number === 1 ? 500 : 200, headers }),
      { ...hooks, retry: { backoff: 0 } },
    )
    expect(await store.getPet(1)).toEqual({ id: 1 })
    // A rejection comes later. The run fails where nobody looks after one.
    await new Promise(setImmediate)
    expect(shown).toHaveBeenCalledTimes(4)
    expect(shown).toHaveBeenCalledWith(
      'animal-store-client: a callback threw:',
      new Error('broken'),
    )
  },
)
