import { beforeEach, expect, test, vi } from 'vitest'
import { startFixtureService, tools } from '../../helpers/fixture-service.ts'
import { planTerms } from '../../helpers/service.ts'
import { repeat, send, stopClocks } from './counting.ts'

const minute = 60_000

beforeEach(() => stopClocks())

test('three times the limit at once gets the limit and not one more', async () => {
  const service = await startFixtureService({ BAN_AFTER: '1000', OVERLOAD_WAIT_MS: '60000' })
  const { key } = await service.issue(planTerms('free'))
  const responses = await Promise.all(Array.from({ length: 180 }, () => send(service, key)))
  const left = responses.filter(({ status }) => status === 200).map(({ remaining }) => remaining)
  expect(left.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, index) => index))
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(120)
})

test('every request with a valid API key counts, whatever its response', async () => {
  const service = await startFixtureService()
  const { key } = await service.issue({ perMinute: 6, perDay: 100 })
  expect((await send(service, key, '/lending/v2/nothing')).remaining).toBe(5)
  expect((await send(service, key, `${tools}/1`)).remaining).toBe(4)
  expect((await send(service, key, `${tools}?limit=0`)).remaining).toBe(3)
  await service.send(tools, { method: 'OPTIONS', key })
  await service.send(tools, { method: 'DELETE', key })
  await service.send(tools, { method: 'POST', key, body: '{' })
  expect(await send(service, key)).toMatchObject({ status: 429 })
})

test('a rejected request takes nothing from the day', async () => {
  const service = await startFixtureService({ BAN_AFTER: '1000' })
  const { key } = await service.issue({ perMinute: 1, perDay: 3 })
  for (let minutes = 0; minutes < 3; minutes++) {
    const statuses = (await repeat(6, service, key)).map(({ status }) => status)
    expect(statuses).toEqual([200, 429, 429, 429, 429, 429])
    vi.advanceTimersByTime(minute)
  }
  expect(await send(service, key)).toMatchObject({ status: 429, limit: 3 })
})

test('a key whose plan changes has the new limits within five seconds, and its usage still counts', async () => {
  const service = await startFixtureService()
  const { key, id } = await service.issue(planTerms('free'))
  await repeat(59, service, key)
  expect(await send(service, key)).toMatchObject({ status: 200, limit: 60, remaining: 0 })
  const { plan, perMinute, perDay } = planTerms('pro')
  const terms = `plan = '${plan}', per_minute = ${perMinute}, per_day = ${perDay}`
  await service.db.execute(`UPDATE api_keys SET ${terms} WHERE id = '${id}'`)
  vi.advanceTimersByTime(5_000)
  expect(await send(service, key)).toMatchObject({ status: 200, limit: 300, remaining: 239 })
})
