import { afterEach, beforeEach, expect, vi } from 'vitest'
import { ask } from '../support/ask.ts'
import { planTerms } from '../support/service.ts'
import { testCounting } from './counting-places.ts'

const second = 1_000
const minute = 60 * second
const day = 24 * 60 * minute

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 20, 12, 0, 0, 500) })
})
afterEach(() => {
  vi.useRealTimers()
})

const wait = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)

testCounting(
  'a Free key gets 60 answers a minute, counting down by one, and then 429',
  async (start) => {
    const service = await start()
    const { key } = await service.issue(planTerms('free'))
    for (let left = 59; left >= 0; left--) {
      const reset = Math.ceil((Date.now() + minute) / second)
      expect(await ask(service, key)).toMatchObject({
        status: 200,
        limit: 60,
        remaining: left,
        reset,
      })
    }
    expect(await ask(service, key)).toMatchObject({ status: 429, limit: 60, remaining: 0 })
  },
)

testCounting('three times the limit at once gets the limit and not one more', async (start) => {
  const service = await start({ BAN_AFTER: '1000' })
  const { key } = await service.issue(planTerms('free'))
  const answers = await Promise.all(Array.from({ length: 180 }, () => ask(service, key)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(60)
  const left = answers.filter(({ status }) => status === 200).map(({ remaining }) => remaining)
  expect(left.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, index) => index))
})

testCounting('waiting for Retry-After is enough, and one second less is not', async (start) => {
  const service = await start()
  const { key } = await service.issue({ perMinute: 2, perDay: 100 })
  await ask(service, key)
  wait(20 * second)
  await ask(service, key)
  const refused = await ask(service, key)
  expect(refused).toMatchObject({ status: 429, retryAfter: 40 })
  wait(39 * second)
  expect(await ask(service, key)).toMatchObject({ status: 429, retryAfter: 1 })
  wait(second)
  expect(await ask(service, key)).toMatchObject({ status: 200, remaining: 1 })
})

testCounting(
  'the headers show the window with the least remaining share, the minute or the day',
  async (start) => {
    const service = await start()
    const { key } = await service.issue({ perMinute: 10, perDay: 12 })
    expect(await ask(service, key)).toMatchObject({ limit: 10, remaining: 9 })
    for (let asked = 0; asked < 9; asked++) await ask(service, key)
    expect(await ask(service, key)).toMatchObject({ status: 429, limit: 10, remaining: 0 })
    wait(minute)
    const reset = Math.ceil((Date.now() - minute + day) / second)
    expect(await ask(service, key)).toMatchObject({ status: 200, limit: 12, remaining: 1, reset })
    expect(await ask(service, key)).toMatchObject({ status: 200, limit: 12, remaining: 0, reset })
  },
)

testCounting('the day is a limit of its own, and its Retry-After leads past it', async (start) => {
  const service = await start()
  const { key } = await service.issue({ perMinute: 2, perDay: 3 })
  await ask(service, key)
  await ask(service, key)
  wait(minute)
  expect(await ask(service, key)).toMatchObject({ status: 200 })
  const refused = await ask(service, key)
  expect(refused).toMatchObject({ status: 429, limit: 3, remaining: 0 })
  expect(refused.retryAfter).toBe((day - minute) / second)
  wait(day - minute - second)
  expect((await ask(service, key)).status).toBe(429)
  wait(second)
  expect(await ask(service, key)).toMatchObject({ status: 200 })
})

testCounting('when both windows are used up, Retry-After leads past both', async (start) => {
  const service = await start()
  const { key } = await service.issue({ perMinute: 2, perDay: 2 })
  await ask(service, key)
  await ask(service, key)
  const { retryAfter } = await ask(service, key)
  expect(retryAfter).toBe(day / second)
})

testCounting('what is refused takes nothing from the day', async (start) => {
  const service = await start({ BAN_AFTER: '1000' })
  const { key } = await service.issue({ perMinute: 1, perDay: 3 })
  for (let turn = 0; turn < 3; turn++) {
    expect((await ask(service, key)).status).toBe(200)
    for (let more = 0; more < 5; more++) expect((await ask(service, key)).status).toBe(429)
    wait(minute)
  }
  expect(await ask(service, key)).toMatchObject({ status: 429, limit: 3 })
})

testCounting('every request with a valid key counts, whatever comes of it', async (start) => {
  const service = await start()
  const { key } = await service.issue({ perMinute: 6, perDay: 100 })
  const headers = { Authorization: `Bearer ${key}` }
  expect((await ask(service, key, '/v1/nothing')).remaining).toBe(5)
  expect((await ask(service, key, '/v1/pets/1')).remaining).toBe(4)
  expect((await ask(service, key, '/v1/pets?limit=0')).remaining).toBe(3)
  await service.send('/v1/pets', { method: 'OPTIONS', headers })
  await service.send('/v1/pets', { method: 'DELETE', headers })
  await service.send('/v1/pets', { method: 'POST', headers, body: '{' })
  expect(await ask(service, key)).toMatchObject({ status: 429 })
})

testCounting('two keys do not disturb each other', async (start) => {
  const service = await start()
  const [one, two] = [await service.issue({ perMinute: 2 }), await service.issue({ perMinute: 2 })]
  await ask(service, one.key)
  await ask(service, one.key)
  expect((await ask(service, one.key)).status).toBe(429)
  expect(await ask(service, two.key)).toMatchObject({ status: 200, remaining: 1 })
})
