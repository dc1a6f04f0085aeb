import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type AnimalStoreError, createPacer, type Retry } from '../../client/index.ts'
import { passUntilDone } from './support/fake-time.ts'
import { type Answering, json, watch } from './support/watched-store.ts'

const toFake = ['Date', 'performance', 'setTimeout', 'clearTimeout'] as const
const start = Date.UTC(2026, 10, 20, 12)
beforeEach(() => vi.useFakeTimers({ toFake: [...toFake], now: start }))
beforeEach(() => vi.spyOn(Math, 'random').mockReturnValue(0.5))
afterEach(() => vi.useRealTimers())
afterEach(() => vi.restoreAllMocks())

const hour = 3_600_000
const refusal = { code: 'rate_limited', message: 'Retry later.', status: 429 }

/** Header fields of an answer that leaves so much until a minute after the start. */
function limited(remaining: number, more: Record<string, string> = {}) {
  const reset = String(start / 1000 + 60)
  return {
    Date: new Date(start).toUTCString(),
    ...{ 'X-RateLimit-Limit': '20', 'X-RateLimit-Remaining': `${remaining}` },
    ...{ 'X-RateLimit-Reset': reset, ...more },
  }
}

const allow = () => json([], { headers: limited(5) })
const ban = () => json(refusal, { status: 429, headers: limited(0, { 'Retry-After': '300' }) })

test.each([
  ['before', ban, allow],
  ['after', allow, ban],
])(
  'a ban holds the next call back that is told of %s an answer that knows of none',
  async (_, one, other) => {
    const { store, requests } = watch(
      async (_, number) => {
        if (number === 2) return one()
        // The answer to the third request comes later than that to the second.
        if (number === 3) await new Promise((resolve) => setTimeout(resolve, 10))
        return number === 3 ? other() : allow()
      },
      { pacer: createPacer() },
    )
    await store.listPets()
    await passUntilDone(Promise.allSettled([store.listPets(), store.listPets()]))
    const minutes = await passUntilDone(Promise.resolve(store.listPets()))
    expect(requests).toHaveLength(4)
    expect(Math.round(minutes)).toBe(5)
  },
)

test('a paced call that is refused without a time is sent as often as any other', async () => {
  const { store, requests } = watch(() => json(refusal, { status: 429 }), {
    pacer: createPacer(),
    retry: {},
  })
  const code = store.listPets().catch((error: AnimalStoreError) => [error.code, error.attempts])
  await passUntilDone(code)
  expect(await code).toEqual(['rate_limited', 4])
  expect(requests).toHaveLength(4)
})

test('a paced call that is to come back after no time waits all the same, and not for ever', async () => {
  const told: Retry[] = []
  const headers = { 'Retry-After': '0' }
  const { store, requests } = watch(() => json(refusal, { status: 429, headers }), {
    pacer: createPacer(),
    retry: {},
    onRetry: (retry) => told.push(retry),
  })
  await passUntilDone(store.listPets().catch(() => undefined))
  expect(told.map(({ delay }) => delay)).toEqual([250, 500, 1_000])
  expect(requests).toHaveLength(4)
})

test.each([
  ['back', -hour],
  ['forward', hour],
])('a clock that is set %s by an hour while a call waits changes nothing', async (_, change) => {
  const begin = performance.now()
  const answering: Answering = (_, number) => {
    // The service has a clock of its own.
    const now = start + performance.now() - begin
    const headers = limited(0, { Date: new Date(now).toUTCString() })
    return json([], { headers: { ...headers, 'X-RateLimit-Remaining': `${number - 1}` } })
  }
  const { store, requests } = watch(answering, { pacer: createPacer() })
  await store.listPets()
  const waiting = Promise.resolve(store.listPets())
  await vi.advanceTimersByTimeAsync(10_000)
  expect(requests).toHaveLength(1)
  vi.setSystemTime(Date.now() + change)
  await vi.advanceTimersByTimeAsync(49_000)
  expect(requests).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(requests).toHaveLength(2)
  await waiting
})
