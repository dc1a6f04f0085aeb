import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { createSqlitePlace } from '../../helpers/places/sqlite-place.ts'
import { planTerms } from '../../helpers/service.ts'
import { repeat, send, testCounting, tools } from './counting.ts'

const minute = 60_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 20, 12, 0, 0, 500) })
})
afterEach(() => {
  vi.useRealTimers()
})

testCounting('a Free key gets 60 responses a minute, counted down, then 429', async (start) => {
  const service = await start()
  const { key } = await service.issue(planTerms('free'))
  const reset = Math.ceil((Date.now() + minute) / 1_000)
  for (let remaining = 59; remaining >= 0; remaining--) {
    const response = await send(service, key)
    expect(response).toMatchObject({ status: 200, limit: 60, remaining, reset })
  }
  expect(await send(service, key)).toMatchObject({
    status: 429,
    code: 'rate_limited',
    message: 'The limit of 60 requests is reached. Retry in 60 s.',
    limit: 60,
    remaining: 0,
  })
})

for (const [plan, limit] of [
  ['free', 60],
  ['pro', 300],
  ['business', 1_000],
] as const) {
  testCounting(`a ${plan} key may send ${limit} requests a minute`, async (start) => {
    const service = await start()
    const { key } = await service.issue(planTerms(plan))
    expect(await send(service, key)).toMatchObject({ limit, remaining: limit - 1 })
  })
}

testCounting('an Enterprise key has the limits that it was issued with', async (start) => {
  const service = await start()
  const { key } = await service.issue({ plan: 'enterprise', perMinute: 7, perDay: 5 })
  expect(await send(service, key)).toMatchObject({ status: 200, limit: 5, remaining: 4 })
  await repeat(4, service, key)
  expect(await send(service, key)).toMatchObject({ status: 429, limit: 5, remaining: 0 })
})

testCounting('three times the limit at once gets the limit and not one more', async (start) => {
  const service = await start({ BAN_AFTER: '1000', OVERLOAD_WAIT_MS: '60000' })
  const { key } = await service.issue(planTerms('free'))
  const responses = await Promise.all(Array.from({ length: 180 }, () => send(service, key)))
  const left = responses.filter(({ status }) => status === 200).map(({ remaining }) => remaining)
  expect(left.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, index) => index))
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(120)
})

testCounting('every request with a valid API key counts, whatever its response', async (start) => {
  const service = await start()
  const { key } = await service.issue({ perMinute: 6, perDay: 100 })
  const headers = { Authorization: `Bearer ${key}` }
  expect((await send(service, key, '/lending/v2/nothing')).remaining).toBe(5)
  expect((await send(service, key, `${tools}/1`)).remaining).toBe(4)
  expect((await send(service, key, `${tools}?limit=0`)).remaining).toBe(3)
  await service.send(tools, { method: 'OPTIONS', headers })
  await service.send(tools, { method: 'DELETE', headers })
  await service.send(tools, { method: 'POST', headers, body: '{' })
  expect(await send(service, key)).toMatchObject({ status: 429 })
})

testCounting('a rejected request takes nothing from the day', async (start) => {
  const service = await start({ BAN_AFTER: '1000' })
  const { key } = await service.issue({ perMinute: 1, perDay: 3 })
  for (let minutes = 0; minutes < 3; minutes++) {
    const statuses = (await repeat(6, service, key)).map(({ status }) => status)
    expect(statuses).toEqual([200, 429, 429, 429, 429, 429])
    vi.setSystemTime(Date.now() + minute)
  }
  expect(await send(service, key)).toMatchObject({ status: 429, limit: 3 })
})

testCounting('each API key has its own limits', async (start) => {
  const service = await start()
  const [one, two] = [await service.issue({ perMinute: 2 }), await service.issue({ perMinute: 2 })]
  await repeat(2, service, one.key)
  expect((await send(service, one.key)).status).toBe(429)
  expect(await send(service, two.key)).toMatchObject({ status: 200, remaining: 1 })
})

testCounting(
  'a key whose plan changes has the new limits within five seconds, and its usage still counts',
  async (start) => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    vi.advanceTimersByTime(1)
    const { file, ...place } = await createSqlitePlace()
    const service = await start({}, place)
    const { key, id } = await service.issue(planTerms('free'))
    await repeat(59, service, key)
    expect(await send(service, key)).toMatchObject({ status: 200, limit: 60, remaining: 0 })
    const other = new DatabaseSync(file)
    const { plan, perMinute, perDay } = planTerms('pro')
    const change = 'UPDATE api_keys SET plan = ?, per_minute = ?, per_day = ? WHERE id = ?'
    other.prepare(change).run(plan, perMinute, perDay, id)
    other.close()
    vi.advanceTimersByTime(5_000)
    expect(await send(service, key)).toMatchObject({ status: 200, limit: 300, remaining: 239 })
  },
)
