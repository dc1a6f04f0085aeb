import { beforeEach, expect, test, vi } from 'vitest'
import { stopClocks } from '../../helpers/clocks.ts'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import { readMetrics } from '../../helpers/metrics.ts'
import { connectToRedis, createOwnNames, needRedis } from '../../helpers/redis.ts'
import { sendMany, sendOne, startOnRedis } from './counting.ts'

beforeEach(needRedis)

// `rules.test.ts` has what is counted, and how, in the process and in Redis.

/** Starts two instances on one store and one Redis, by its clock. */
async function startTwo(environment: Readonly<Record<string, string>> = {}) {
  const names = await createOwnNames()
  const db = await createSqliteDatabase()
  const start = () => startOnRedis(environment, db, names)
  return { first: await start(), second: await start(), prefix: names.prefix }
}

test.for([
  ['a rate limit', { perMinute: 100, perDay: 1 }, 2],
  ['a ban', { perMinute: 1 }, 11],
] as const)(
  '%s does not last longer when the clock of Redis was set back',
  async ([, quota, times]) => {
    stopClocks()
    const service = await startOnRedis()
    const { key } = await service.issue(quota)
    expect((await sendMany(times, service, key)).at(-1)).toMatchObject({ status: 429 })
    vi.setSystemTime(Date.now() - 2 * 86_400_000)
    expect(await sendOne(service, key)).toMatchObject({ status: 200 })
  },
)

test('instances whose clocks differ count by the clock of Redis, and show times by their own', async () => {
  const { first, second } = await startTwo()
  const { key } = await first.issue({ perMinute: 2, perDay: 10 })
  expect(await sendOne(first, key)).toMatchObject({ remaining: 1 })
  stopClocks(Date.UTC(2020, 0, 1))
  const response = await sendOne(second, key)
  expect(response).toMatchObject({ status: 200, remaining: 0 })
  expect(response.reset - Date.now() / 1_000).toBeGreaterThan(0)
  expect(response.reset - Date.now() / 1_000).toBeLessThanOrEqual(60)
  vi.setSystemTime(Date.UTC(2020, 0, 3))
  const rejected = await sendOne(second, key)
  expect(rejected.status).toBe(429)
  expect(rejected.retryAfter).toBeLessThanOrEqual(60)
})

test('what is in Redis expires, and contains no API key; metrics show that Redis is up', async () => {
  const { first, prefix } = await startTwo({ BAN_AFTER: '2', OPS_PORT: '0' })
  const { key, id } = await first.issue({ perMinute: 1 })
  await sendMany(4, first, key)
  await sendOne(first)
  const client = await connectToRedis()
  const names = await client.keys(`${prefix}*`)
  expect(names).toEqual(
    expect.arrayContaining([`${prefix}address:127.0.0.1`, `${prefix}key:${id}`]),
  )
  for (const name of names) {
    const left = await client.pTTL(name)
    const window = name.includes('key') ? 86_400_000 : 60_000
    expect(left).toBeGreaterThan(window / 2)
    expect(left).toBeLessThanOrEqual(window)
    expect(name + JSON.stringify(await client.hGetAll(name))).not.toContain(key)
  }
  expect((await readMetrics(first)).get('api_redis_up')).toBe(1)
})
