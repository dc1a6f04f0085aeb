import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Retry } from '../../client/index.ts'
import { emptyPage, refuse } from './support/behaviours.ts'
import { failureOf } from './support/failure-of.ts'
import { startScriptedStore } from './support/scripted-store.ts'

const now = new Date('2026-11-06T08:49:37Z')

// So that a wait that was not asked for shows as none.
beforeEach(() => vi.spyOn(Math, 'random').mockReturnValue(0))
beforeEach(() => vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now }))
// Dates are in GMT, wherever we are.
beforeEach(() => vi.stubEnv('TZ', 'Asia/Tokyo'))
afterEach(() => vi.unstubAllEnvs())
afterEach(() => vi.useRealTimers())
afterEach(() => vi.restoreAllMocks())

/** Gives the wait before the second attempt, which is cut short. */
async function delayAfter(fields: Record<string, string>): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<Retry>()
  const { store, requests } = await startScriptedStore([refuse(503, fields), emptyPage], {
    onRetry(retry) {
      resolve(retry)
      setImmediate(() => vi.advanceTimersByTime(retry.delay))
    },
  })
  await store.listPets()
  expect(requests).toHaveLength(2)
  return (await promise).delay
}

test.each([
  ['0', 0],
  ['7', 7_000],
  ['007', 7_000],
  ['60', 60_000],
  ['Fri, 06 Nov 2026 08:50:07 GMT', 30_000],
  ['Friday, 06-Nov-26 08:50:07 GMT', 30_000],
  ['Fri Nov  6 08:50:07 2026', 30_000],
  ['Fri, 06 Nov 2026 08:49:37 GMT', 0],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 0],
  ['Sun Nov  6 08:49:37 1994', 0],
])('Retry-After: %s is waited for by our clock where the answer has none', async (field, delay) => {
  expect(await delayAfter({ 'Retry-After': field })).toBe(delay)
})

test.each([
  ['Fri, 06 Nov 2026 10:00:30 GMT', 'Fri, 06 Nov 2026 10:00:00 GMT'],
  ['Friday, 06-Nov-26 10:00:30 GMT', 'Friday, 06-Nov-26 10:00:00 GMT'],
  ['Fri Nov  6 10:00:30 2026', 'Fri Nov  6 10:00:00 2026'],
])('Retry-After: %s is waited for by the clock of the service, %s', async (field, date) => {
  expect(new Date().getTimezoneOffset()).not.toBe(0)
  expect(await delayAfter({ 'Retry-After': field, Date: date })).toBe(30_000)
})

test('a Date that cannot be read counts as none', async () => {
  const fields = { 'Retry-After': 'Fri, 06 Nov 2026 08:49:47 GMT', Date: '7' }
  expect(await delayAfter(fields)).toBe(10_000)
})

test.each([
  '-1',
  '-60',
  '1.5',
  '1e1',
  '0x10',
  '+5',
  '5s',
  '1, 2',
  '',
  'soon',
  'Friday',
  'Fri, 99 Nov 2026 08:50:07 GMT',
  '2026-11-06T08:50:07Z',
  'Infinity',
])('Retry-After: %s says nothing, and the usual wait is taken', async (field) => {
  vi.mocked(Math.random).mockReturnValue(0.5)
  expect(await delayAfter({ 'Retry-After': field })).toBe(0.5)
})

test('two fields say nothing', async () => {
  vi.mocked(Math.random).mockReturnValue(0.5)
  expect(await delayAfter({ 'Retry-After': '5', 'retry-after': '7' })).toBe(0.5)
})

test.each([
  ['61', 61],
  ['86400', 86_400],
  ['Fri, 06 Nov 2026 08:50:38 GMT', 61],
  ['9'.repeat(20), 1e20],
])(
  'Retry-After: %s is longer than a call waits: it fails at once and says so',
  async (field, retryAfter) => {
    const { store, requests } = await startScriptedStore([refuse(429, { 'Retry-After': field })])
    const error = await failureOf(store.listPets())
    expect(error).toMatchObject({ status: 429, code: 'code_429', attempts: 1, retryAfter })
    expect(requests).toHaveLength(1)
  },
)

test('a call may have a ceiling of its own, and keeps the other rules of the client', async () => {
  const faults = [refuse(429, { 'Retry-After': '61' }), refuse(503)]
  const delays: number[] = []
  const { store, requests } = await startScriptedStore([...faults, emptyPage, ...faults], {
    retry: { attempts: 3, backoff: 4, longestRetryAfter: 10 },
    onRetry({ delay }) {
      delays.push(delay)
      setImmediate(() => vi.advanceTimersByTime(delay))
    },
  })
  vi.mocked(Math.random).mockReturnValue(0.5)
  await store.listPets({}, { retry: { longestRetryAfter: 61_000 } })
  expect(delays).toEqual([61_000, 4])
  expect((await failureOf(store.listPets())).attempts).toBe(1)
  expect(requests).toHaveLength(4)
})

test('after the last attempt the error says how long to wait', async () => {
  const { store } = await startScriptedStore([refuse(503, { 'Retry-After': '7' })])
  const error = await failureOf(store.listPets({}, { retry: { attempts: 1 } }))
  expect(error).toMatchObject({ status: 503, attempts: 1, retryAfter: 7 })
  const silent = await startScriptedStore([refuse(503, { 'Retry-After': 'soon' })])
  expect((await failureOf(silent.store.listPets({}, { retry: false }))).retryAfter).toBeUndefined()
})
