import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, vi } from 'vitest'
import { toKeyTerms } from '../../server/commands/key-options.ts'
import { ask } from '../support/ask.ts'
import { createSqlitePlace } from '../support/places/sqlite-place.ts'
import { planTerms } from '../support/service.ts'
import { testCounting } from './counting-places.ts'

afterEach(() => {
  vi.useRealTimers()
})

testCounting('an Enterprise key has the limits that it was issued with', async (start) => {
  const service = await start()
  const terms = toKeyTerms({ plan: 'enterprise', 'per-minute': '7', 'per-day': '5' })
  const { key } = await service.issue(terms)
  expect(await ask(service, key)).toMatchObject({ status: 200, limit: 5, remaining: 4 })
  for (let asked = 0; asked < 4; asked++) await ask(service, key)
  expect(await ask(service, key)).toMatchObject({ status: 429, limit: 5, remaining: 0 })
})

testCounting(
  'a key whose plan changes has the new limits within five seconds, and what it used still counts',
  async (start) => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    vi.advanceTimersByTime(1)
    const { file, ...place } = await createSqlitePlace()
    const service = await start({}, place)
    const { key, id } = await service.issue(planTerms('free'))
    for (let asked = 0; asked < 59; asked++) await ask(service, key)
    expect(await ask(service, key)).toMatchObject({ status: 200, limit: 60, remaining: 0 })
    const other = new DatabaseSync(file)
    const { plan, perMinute, perDay } = planTerms('pro')
    const change = 'UPDATE api_keys SET plan = ?, per_minute = ?, per_day = ? WHERE id = ?'
    other.prepare(change).run(plan, perMinute, perDay, id)
    other.close()
    vi.advanceTimersByTime(5_000)
    expect(await ask(service, key)).toMatchObject({ status: 200, limit: 300, remaining: 239 })
  },
)

for (const [plan, limit] of [
  ['free', 60],
  ['pro', 300],
  ['business', 1_000],
] as const) {
  testCounting(`a ${plan} key may make ${limit} requests a minute`, async (start) => {
    const service = await start()
    const { key } = await service.issue(planTerms(plan))
    expect(await ask(service, key)).toMatchObject({ limit, remaining: limit - 1 })
  })
}
