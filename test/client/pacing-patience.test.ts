import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type AnimalStoreError, createPacer, type RateLimit } from '../../client/index.ts'
import { passUntilDone } from './support/fake-time.ts'
import { createLimitedService } from './support/limited-service.ts'
import { json, watch } from './support/watched-store.ts'

const start = Date.UTC(2026, 10, 20, 12)
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'], now: start })
})
afterEach(() => vi.useRealTimers())

const aDay = { perMinute: 20, perDay: 5 }

test('a job that meets the limit of the day sleeps until that is reset, and onRateLimit shows it', async () => {
  const told: RateLimit[] = []
  const { answering, statuses } = createLimitedService(aDay)
  const { store } = watch(answering, { pacer: createPacer(), onRateLimit: (now) => told.push(now) })
  const job = Promise.all(Array.from({ length: 7 }, async () => store.listPets()))
  const minutes = await passUntilDone(job)
  expect(statuses).toEqual(Array(7).fill(200))
  const { remaining, reset } = told[4] ?? {}
  expect(remaining).toBe(0)
  expect(Number(reset) - start).toBeGreaterThan(60_000)
  expect(minutes).toBeGreaterThanOrEqual((Number(reset) - start) / 60_000)
  expect(minutes).toBeLessThan(24 * 60 + 1)
})

test('the time of each call and a signal put an end to that sleep', async () => {
  const { answering } = createLimitedService(aDay)
  const { store, requests } = watch(answering, { pacer: createPacer() })
  await passUntilDone(Promise.all(Array.from({ length: 5 }, async () => store.listPets())))
  const controller = new AbortController()
  setTimeout(() => controller.abort('enough'), 3_600_000)
  const ended = [
    store.listPets({}, { timeout: { total: 3_600_000 } }),
    store.listPets({}, { signal: controller.signal }),
  ].map((call) => call.catch((reason) => reason.code ?? reason))
  expect(Math.round(await passUntilDone(Promise.all(ended)))).toBe(60)
  expect(await Promise.all(ended)).toEqual(['timeout', 'enough'])
  expect(requests).toHaveLength(5)
})

test.each([
  ['that says nothing of a time', {}, 4],
  ['that asks for two hours', { 'Retry-After': '7200' }, 1],
])(
  'a 503 %s is no limit, and a paced call has no more patience with it',
  async (_, headers, sent) => {
    const refusal = { code: 'unavailable', message: 'Later.' }
    const { store, requests } = watch(() => json(refusal, { status: 503, headers }), {
      pacer: createPacer(),
      retry: {},
    })
    const code = store.listPets().catch((error: AnimalStoreError) => error.code)
    await passUntilDone(code)
    expect(await code).toBe('unavailable')
    expect(requests).toHaveLength(sent)
  },
)
