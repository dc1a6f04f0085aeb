import { beforeEach, expect, test, vi } from 'vitest'
import { startFixtureService as start, tools } from '../../helpers/fixture-service.ts'
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
    const message = `The limit of 2 requests is reached. Retry in ${retryAfter} s.`
    const rejected = { status: 429, code: 'rate_limited', message, limit: 2, remaining: 0 }
    expect(await send(service, key)).toMatchObject({ ...rejected, retryAfter })
  }
  wait(begin + minute - Date.now())
  expect(await send(service, key)).toMatchObject({ status: 200, remaining: 1 })
})

test('every request with a valid API key counts, whatever its response', async () => {
  const service = await start()
  const { key } = await service.issue({ perMinute: 6, perDay: 100 })
  for (const [index, path] of ['/lending/v2/nothing', `${tools}/1`, `${tools}?limit=0`].entries()) {
    const { headers } = await service.send(path, { key })
    expect(headers.get('X-RateLimit-Remaining'), path).toBe(String(5 - index))
  }
  await service.send(tools, { method: 'OPTIONS', key })
  await service.send(tools, { method: 'DELETE', key })
  await service.send(tools, { method: 'POST', key, body: '{' })
  expect(await send(service, key)).toMatchObject({ status: 429 })
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
  ['the rate limit of a day', 86_400, { ...unlimited, perDay: 2 }, 3],
  ['a ban', 300, { ...unlimited, perMinute: 1 }, 11],
] as const)('%s lasts no longer after the clock was set back', async ([, length, quota, times]) => {
  const service = await start()
  const { key } = await service.issue(quota)
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

const codesOf = (responses: Awaited<ReturnType<typeof repeat>>) => responses.map(({ code }) => code)

test('the tenth 429 within a minute bans the key for five minutes, which requests neither extend nor count in', async () => {
  const service = await start()
  const { key } = await service.issue({ perMinute: 1 })
  await send(service, key)
  expect(codesOf(await repeat(9, service, key))).toEqual(Array(9).fill('rate_limited'))
  expect(await send(service, key)).toMatchObject({
    status: 429,
    code: 'api_key_banned',
    message: 'The API key is banned after repeated requests over its limit. Retry in 300 s.',
    retryAfter: 300,
    limit: 1,
  })
  wait(120 * second)
  await repeat(20, service, key)
  wait(179 * second)
  expect(await send(service, key)).toMatchObject({ code: 'api_key_banned', retryAfter: 1 })
  wait(second)
  expect(await send(service, key)).toMatchObject({ status: 200 })
  expect(await send(service, key)).toMatchObject({ code: 'rate_limited' })
})

test('429s that are spread over more than a minute do not ban', async () => {
  const service = await start()
  const { key } = await service.issue({ perMinute: 1 })
  for (let minute = 0; minute < 4; minute++) {
    expect(codesOf(await repeat(6, service, key))).not.toContain('api_key_banned')
    wait(61 * second)
  }
})

test('Retry-After of a ban is enough, whatever else is used up', async () => {
  const service = await start({ BAN_AFTER: '3', BAN_SECONDS: '5' })
  const { key } = await service.issue({ perMinute: 100, perDay: 3 })
  await repeat(5, service, key)
  const first = await send(service, key)
  expect(first).toMatchObject({ code: 'api_key_banned', retryAfter: 86_400, limit: 100 })
  expect(await send(service, key)).toEqual(first)
  wait(86_400 * second)
  expect(await send(service, key)).toMatchObject({ status: 200 })
})

test('BAN_AFTER and BAN_SECONDS apply, to one key alone, and after a ban again', async () => {
  const service = await start({ BAN_AFTER: '3', BAN_SECONDS: '70' })
  const { key } = await service.issue({ perMinute: 1 })
  const other = await service.issue({ perMinute: 1 })
  await send(service, key)
  for (let ban = 0; ban < 2; ban++) {
    expect(codesOf(await repeat(2, service, key))).toEqual(['rate_limited', 'rate_limited'])
    expect(await send(service, key)).toMatchObject({ code: 'api_key_banned', retryAfter: 70 })
    wait(70 * second)
    expect(await send(service, key)).toMatchObject({ status: 200 })
  }
  expect(await send(service, other.key)).toMatchObject({ status: 200 })
})
