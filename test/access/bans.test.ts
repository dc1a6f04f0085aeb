import { afterEach, beforeEach, expect, vi } from 'vitest'
import type { TestService } from '../support/service.ts'
import { testCounting } from './counting-places.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 20, 12) })
})
afterEach(() => {
  vi.useRealTimers()
})

const wait = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1_000)

async function ask({ send }: TestService, key: string) {
  const response = await send('/v1/pets', { headers: { Authorization: `Bearer ${key}` } })
  const { code } = response.ok ? { code: 'none' } : await response.json()
  return {
    status: response.status,
    code,
    retryAfter: Number(response.headers.get('retry-after')),
    limit: Number(response.headers.get('x-ratelimit-limit')),
  }
}

async function repeat(times: number, service: TestService, key: string) {
  const answers = []
  for (let turn = 0; turn < times; turn++) answers.push(await ask(service, key))
  return answers
}

testCounting(
  'the tenth refusal within a minute bans the key for five minutes, and says so',
  async (start) => {
    const service = await start()
    const { key } = await service.issue({ perMinute: 1 })
    await ask(service, key)
    const refusals = await repeat(9, service, key)
    expect(new Set(refusals.map(({ code }) => code))).toEqual(new Set(['rate_limited']))
    expect(await ask(service, key)).toEqual({
      status: 429,
      code: 'api_key_banned',
      retryAfter: 300,
      limit: 1,
    })
  },
)

testCounting(
  'a ban ends by itself, and what is asked meanwhile neither extends it nor counts',
  async (start) => {
    const service = await start()
    const { key } = await service.issue({ perMinute: 1 })
    await repeat(11, service, key)
    wait(120)
    expect(await ask(service, key)).toMatchObject({ code: 'api_key_banned', retryAfter: 180 })
    await repeat(20, service, key)
    wait(179)
    expect(await ask(service, key)).toMatchObject({ code: 'api_key_banned', retryAfter: 1 })
    wait(1)
    expect(await ask(service, key)).toMatchObject({ status: 200 })
    expect(await ask(service, key)).toMatchObject({ code: 'rate_limited' })
  },
)

testCounting('refusals that are spread over more than a minute do not ban', async (start) => {
  const service = await start()
  const { key } = await service.issue({ perMinute: 1 })
  for (let turn = 0; turn < 4; turn++) {
    const codes = (await repeat(6, service, key)).map(({ code }) => code)
    expect(codes).not.toContain('api_key_banned')
    wait(61)
  }
})

testCounting(
  'the wait that a banned key is told is enough, whatever else is used up',
  async (start) => {
    const service = await start({ BAN_AFTER: '3', BAN_SECONDS: '5' })
    const { key } = await service.issue({ perMinute: 100, perDay: 3 })
    await repeat(5, service, key)
    const first = await ask(service, key)
    expect(first).toMatchObject({ code: 'api_key_banned', retryAfter: 86_400 })
    expect(await ask(service, key)).toEqual({ ...first, limit: 100 })
    wait(86_400)
    expect(await ask(service, key)).toMatchObject({ status: 200 })
  },
)

testCounting('after a short ban it takes as many refusals again for the next', async (start) => {
  const service = await start({ BAN_AFTER: '3', BAN_SECONDS: '5' })
  const { key } = await service.issue({ perMinute: 1 })
  await repeat(4, service, key)
  wait(5)
  const codes = (await repeat(3, service, key)).map(({ code }) => code)
  expect(codes).toEqual(['rate_limited', 'rate_limited', 'api_key_banned'])
})

testCounting('another key is not banned along, and the bounds are configurable', async (start) => {
  const service = await start({ BAN_AFTER: '2', BAN_SECONDS: '7' })
  const { key } = await service.issue({ perMinute: 1 })
  const other = await service.issue({ perMinute: 1 })
  await ask(service, key)
  expect(await ask(service, key)).toMatchObject({ code: 'rate_limited' })
  // The minute ends later than the ban: only then does a request succeed.
  expect(await ask(service, key)).toMatchObject({ code: 'api_key_banned', retryAfter: 60 })
  expect(await ask(service, other.key)).toMatchObject({ status: 200 })
})
