import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AnimalStoreOptions } from '../../client/index.ts'
import { failureOf, json, watch } from './support/watched-store.ts'

const now = new Date('2026-11-06T08:49:37Z')

// A random wait, which is then taken for Retry-After, would show as half of the backoff.
const [random, backoff] = [0.5, 4]
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(random)
  const toFake = ['Date', 'performance', 'setTimeout', 'clearTimeout'] as const
  vi.useFakeTimers({ toFake: [...toFake], now }).setTimerTickMode('nextTimerAsync')
  // HTTP dates are in GMT, whatever the time zone of the client.
  vi.stubEnv('TZ', 'Asia/Tokyo')
})
afterEach(() => vi.unstubAllEnvs())
afterEach(() => vi.useRealTimers())
afterEach(() => vi.restoreAllMocks())

type Fields = Readonly<Record<string, string>>

/** Creates a client of a service that responds with these header fields, then successfully. */
function watchOnce(fields: readonly Fields[], options: Partial<AnimalStoreOptions> = {}) {
  const delays: number[] = []
  const error = { code: 'unavailable', message: 'Retry later.' }
  const { store, requests } = watch(
    (_, number) => {
      const headers = fields[number - 1]
      return headers === undefined ? json([]) : json(error, { status: 503, headers })
    },
    { retry: { backoff }, onRetry: ({ delay }) => delays.push(delay), ...options },
  )
  return { store, requests, delays }
}

test.each([
  ['7', 7_000],
  ['007', 7_000],
  ['60', 60_000],
  ['Fri, 06 Nov 2026 08:50:07 GMT', 30_000],
  ['Friday, 06-Nov-26 08:50:07 GMT', 30_000],
  ['Fri Nov  6 08:50:07 2026', 30_000],
])('waits for Retry-After: %s', async (field, delay) => {
  expect(new Date().getTimezoneOffset()).not.toBe(0)
  const { store, requests, delays } = watchOnce([{ 'Retry-After': field }])
  await store.listPets()
  expect(delays).toEqual([delay])
  expect(Date.now() - now.getTime()).toBeGreaterThanOrEqual(delay)
  expect(requests).toHaveLength(2)
})

test.each([
  ['Fri, 06 Nov 2026 10:00:30 GMT', 'Fri, 06 Nov 2026 10:00:00 GMT', 30_000],
  ['Friday, 06-Nov-26 10:00:30 GMT', 'Friday, 06-Nov-26 10:00:00 GMT', 30_000],
  ['Fri Nov  6 10:00:30 2026', 'Fri Nov  6 10:00:00 2026', 30_000],
  // A Date that cannot be read is ignored.
  ['Fri, 06 Nov 2026 08:49:47 GMT', '7', 10_000],
])('Retry-After: %s is relative to the Date of the response, %s', async (field, date, delay) => {
  const { store, delays } = watchOnce([{ 'Retry-After': field, Date: date }])
  await store.listPets()
  expect(delays).toEqual([delay])
})

test.each([
  ...['0', 'Fri, 06 Nov 2026 08:49:37 GMT', 'Sun, 06 Nov 1994 08:49:37 GMT'],
  ...['Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'],
  ...['-1', '-60', '1.5', '1e1', '0x10', '+5', '5s', '1, 2', '', 'soon', 'Friday', 'Infinity'],
  ...['Fri, 99 Nov 2026 08:50:07 GMT', '2026-11-06T08:50:07Z'],
])('waits for the usual backoff after Retry-After: %s', async (field) => {
  const { store, delays } = watchOnce([{ 'Retry-After': field }])
  await store.listPets()
  expect(delays).toEqual([random * backoff])
})

test.each([
  ['61', 61],
  ['86400', 86_400],
  ['Fri, 06 Nov 2026 08:50:38 GMT', 61],
  ['9'.repeat(20), 1e20],
])('fails at once when Retry-After: %s is longer than it waits', async (field, retryAfter) => {
  const { store, requests } = watchOnce([{ 'Retry-After': field }])
  const error = await failureOf(store.listPets())
  expect(error).toMatchObject({ status: 503, code: 'unavailable', attempts: 1, retryAfter })
  expect(requests).toHaveLength(1)
})

test('longestRetryAfter of a call keeps the other rules of the client', async () => {
  const fields = [{ 'Retry-After': '61' }, {}]
  const retry = { attempts: 3, backoff, longestRetryAfter: 10 }
  const patient = watchOnce(fields, { retry })
  await patient.store.listPets({}, { retry: { longestRetryAfter: 61_000 } })
  expect(patient.delays).toEqual([61_000, 2 * random * backoff])
  const { store } = watchOnce(fields, { retry })
  expect((await failureOf(store.listPets())).attempts).toBe(1)
})

test.each([
  ['7', 7],
  ['soon', undefined],
])(
  'the error after the last attempt has the seconds of Retry-After: %s',
  async (field, seconds) => {
    const { store } = watchOnce([{ 'Retry-After': field }], { retry: { attempts: 1 } })
    expect((await failureOf(store.listPets())).retryAfter).toBe(seconds)
  },
)
