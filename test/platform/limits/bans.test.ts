import { afterEach, beforeEach, expect, vi } from 'vitest'
import { repeat, send, testCounting } from './counting.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 20, 12) })
})
afterEach(() => {
  vi.useRealTimers()
})

const wait = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1_000)
const codesOf = (responses: Awaited<ReturnType<typeof repeat>>) => responses.map(({ code }) => code)

testCounting('the tenth 429 within a minute bans the key for five minutes', async (start) => {
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
})

testCounting('requests during a ban neither extend it nor count', async (start) => {
  const service = await start()
  const { key } = await service.issue({ perMinute: 1 })
  await repeat(11, service, key)
  wait(120)
  expect(await send(service, key)).toMatchObject({ code: 'api_key_banned', retryAfter: 180 })
  await repeat(20, service, key)
  wait(179)
  expect(await send(service, key)).toMatchObject({ code: 'api_key_banned', retryAfter: 1 })
  wait(1)
  expect(await send(service, key)).toMatchObject({ status: 200 })
  expect(await send(service, key)).toMatchObject({ code: 'rate_limited' })
})

testCounting('429s that are spread over more than a minute do not ban', async (start) => {
  const service = await start()
  const { key } = await service.issue({ perMinute: 1 })
  for (let minute = 0; minute < 4; minute++) {
    expect(codesOf(await repeat(6, service, key))).not.toContain('api_key_banned')
    wait(61)
  }
})

testCounting('Retry-After of a ban is enough, whatever else is used up', async (start) => {
  const service = await start({ BAN_AFTER: '3', BAN_SECONDS: '5' })
  const { key } = await service.issue({ perMinute: 100, perDay: 3 })
  await repeat(5, service, key)
  const first = await send(service, key)
  expect(first).toMatchObject({ code: 'api_key_banned', retryAfter: 86_400, limit: 100 })
  expect(await send(service, key)).toEqual(first)
  wait(86_400)
  expect(await send(service, key)).toMatchObject({ status: 200 })
})

testCounting('after a short ban the next one takes as many 429s again', async (start) => {
  const service = await start({ BAN_AFTER: '3', BAN_SECONDS: '5' })
  const { key } = await service.issue({ perMinute: 1 })
  await repeat(4, service, key)
  wait(5)
  const codes = codesOf(await repeat(3, service, key))
  expect(codes).toEqual(['rate_limited', 'rate_limited', 'api_key_banned'])
})

testCounting('BAN_AFTER and BAN_SECONDS apply, to one key alone', async (start) => {
  const service = await start({ BAN_AFTER: '2', BAN_SECONDS: '7' })
  const { key } = await service.issue({ perMinute: 1 })
  const other = await service.issue({ perMinute: 1 })
  await send(service, key)
  expect(await send(service, key)).toMatchObject({ code: 'rate_limited' })
  // The minute ends later than the ban: only then does a request succeed.
  expect(await send(service, key)).toMatchObject({ code: 'api_key_banned', retryAfter: 60 })
  expect(await send(service, other.key)).toMatchObject({ status: 200 })
})
