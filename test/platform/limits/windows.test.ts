import { beforeEach, expect, test, vi } from 'vitest'
import { startFixtureService as start } from '../../helpers/fixture-service.ts'
import { repeat, send, stopClocks } from './counting.ts'

const second = 1_000
const minute = 60 * second
const day = 24 * 60 * minute

beforeEach(() => stopClocks(Date.UTC(2026, 10, 20, 12, 0, 0, 499)))

const wait = (milliseconds: number) => vi.advanceTimersByTime(milliseconds)

test('waiting for Retry-After is enough, in whole seconds, rounded up', async () => {
  const service = await start()
  const { key } = await service.issue({ perMinute: 2, perDay: 100 })
  const begin = Date.now()
  await send(service, key)
  wait(20 * second)
  await send(service, key)
  for (const [waited, retryAfter] of [
    [20 * second, 40],
    [20_001, 40],
    [21 * second, 39],
    [58_999, 2],
    [59 * second, 1],
    [59_999, 1],
  ] as const) {
    wait(begin + waited - Date.now())
    expect(await send(service, key)).toMatchObject({ status: 429, retryAfter })
  }
  wait(begin + minute - Date.now())
  expect(await send(service, key)).toMatchObject({ status: 200, remaining: 1 })
})

test('the headers show the window with the least remaining share, the minute or the day', async () => {
  const service = await start()
  const { key } = await service.issue({ perMinute: 10, perDay: 12 })
  expect(await send(service, key)).toMatchObject({ limit: 10, remaining: 9 })
  await repeat(9, service, key)
  expect(await send(service, key)).toMatchObject({ status: 429, limit: 10, remaining: 0 })
  wait(minute)
  const reset = Math.ceil((Date.now() - minute + day) / second)
  expect(await send(service, key)).toMatchObject({ status: 200, limit: 12, remaining: 1, reset })
  expect(await send(service, key)).toMatchObject({ status: 200, limit: 12, remaining: 0, reset })
  // Of two windows with the same share, the minute.
  const same = await service.issue({ perMinute: 10, perDay: 10 })
  const end = Math.ceil((Date.now() + minute) / second)
  expect(await send(service, same.key)).toMatchObject({ remaining: 9, reset: end })
})

test('Retry-After leads past the day where that is used up', async () => {
  const service = await start()
  const { key } = await service.issue({ perMinute: 2, perDay: 3 })
  await repeat(2, service, key)
  wait(minute)
  expect(await send(service, key)).toMatchObject({ status: 200 })
  const retryAfter = (day - minute) / second
  expect(await send(service, key)).toMatchObject({
    status: 429,
    limit: 3,
    remaining: 0,
    retryAfter,
  })
  wait(day - minute - second)
  expect((await send(service, key)).status).toBe(429)
  wait(second)
  expect(await send(service, key)).toMatchObject({ status: 200 })
  // Where the minute is used up as well, too.
  const both = await service.issue({ perMinute: 2, perDay: 2 })
  await repeat(2, service, both.key)
  expect((await send(service, both.key)).retryAfter).toBe(day / second)
})

const unlimited = { perMinute: 1_000, perDay: 10_000 }

test.for([
  ['the rate limit of a minute', 60, { ...unlimited, perMinute: 2 }, 3],
  ['the rate limit of a day', 86_400, { ...unlimited, perDay: 2 }, 3],
  ['a ban', 300, { ...unlimited, perMinute: 1 }, 11],
  ['the rate limit of an address', 60, undefined, 4],
] as const)('%s lasts no longer after the clock was set back', async ([, length, quota, times]) => {
  const service = await start({ ANONYMOUS_PER_MINUTE: '3' })
  const key = quota === undefined ? 'none' : (await service.issue(quota)).key
  await repeat(times - 1, service, key)
  expect(await send(service, key)).toMatchObject({ status: 429, retryAfter: length })
  // The monotonic clock ignores it.
  vi.setSystemTime(Date.now() - 2 * day)
  // Requests in the meantime do not make it longer.
  for (const seconds of [0, length / 2]) {
    wait(seconds * second)
    const { retryAfter, reset } = await send(service, key)
    expect(retryAfter).toBeLessThanOrEqual(length)
    expect(reset - Math.ceil(Date.now() / second)).toBeLessThanOrEqual(length)
  }
  wait((length / 2) * second)
  expect((await send(service, key)).status).not.toBe(429)
})
