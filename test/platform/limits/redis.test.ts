import { beforeEach, expect, test, vi } from 'vitest'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import { startFixtureService } from '../../helpers/fixture-service.ts'
import { createRandom } from '../../helpers/random.ts'
import { connectToRedis, createOwnNames, needRedis } from '../../helpers/redis.ts'
import { readMetrics } from '../ops/support/metrics.ts'
import { repeat, send, startOnRedis, stopClocks } from './counting.ts'

beforeEach(needRedis)

/** Starts two instances on one store and one Redis, by its clock. */
async function startTwo(environment: Readonly<Record<string, string>> = {}) {
  const names = await createOwnNames()
  const db = await createSqliteDatabase()
  const start = () => startOnRedis(environment, db, names)
  return { first: await start(), second: await start(), prefix: names.prefix }
}

// What is counted, and how, the other files ask of the counters in the process.
test.for([1, 2, 3])(
  'limits are the same in Redis and in the process, in any sequence of requests (%i)',
  async (seed) => {
    stopClocks()
    const random = createRandom(seed)
    const upTo = (most: number) => Math.floor(random() * most) + 1
    const environment = {
      BAN_AFTER: `${upTo(4)}`,
      BAN_SECONDS: `${upTo(90)}`,
      ANONYMOUS_PER_MINUTE: `${upTo(5)}`,
      TRUST_PROXY: '1',
    }
    const db = await createSqliteDatabase()
    const own = await startFixtureService(environment, db)
    const shared = await startOnRedis(environment, db)
    const quota = () => ({ perMinute: upTo(5), perDay: upTo(15) })
    const keys = [await own.issue(quota()), await own.issue(quota())]
    const codes = new Set<string>()
    for (let step = 0; step < 200; step++) {
      const pauses = [0, 1, 999, 20_000, 59_999, 60_000, 86_400_000]
      vi.advanceTimersByTime(pauses[Math.floor(random() ** 4 * pauses.length)] ?? 0)
      const sent =
        random() < 0.7
          ? (keys[upTo(2) - 1]?.key ?? '')
          : { 'X-Forwarded-For': `192.0.2.${upTo(2)}` }
      const response = await send(shared, sent)
      expect(response).toEqual(await send(own, sent))
      codes.add(response.code)
    }
    const all = [undefined, 'missing_api_key', 'rate_limited', 'api_key_banned']
    expect(codes).toEqual(new Set(all))
  },
)

test.for([
  ['a rate limit', { perMinute: 100, perDay: 1 }, 2],
  ['a ban', { perMinute: 1 }, 11],
] as const)(
  '%s does not last longer when the clock of Redis was set back',
  async ([, quota, times]) => {
    stopClocks()
    const service = await startOnRedis()
    const { key } = await service.issue(quota)
    expect((await repeat(times, service, key)).at(-1)).toMatchObject({ status: 429 })
    vi.setSystemTime(Date.now() - 2 * 86_400_000)
    expect(await send(service, key)).toMatchObject({ status: 200 })
  },
)

test('instances whose clocks differ count by the clock of Redis, and show times by their own', async () => {
  const { first, second } = await startTwo()
  const { key } = await first.issue({ perMinute: 2, perDay: 10 })
  expect(await send(first, key)).toMatchObject({ remaining: 1 })
  stopClocks(Date.UTC(2020, 0, 1))
  const response = await send(second, key)
  expect(response).toMatchObject({ status: 200, remaining: 0 })
  expect(response.reset - Date.now() / 1_000).toBeGreaterThan(0)
  expect(response.reset - Date.now() / 1_000).toBeLessThanOrEqual(60)
  vi.setSystemTime(Date.UTC(2020, 0, 3))
  const rejected = await send(second, key)
  expect(rejected.status).toBe(429)
  expect(rejected.retryAfter).toBeLessThanOrEqual(60)
})

test('what is in Redis expires, and contains no API key; metrics show that Redis is up', async () => {
  const { first, prefix } = await startTwo({ BAN_AFTER: '2', OPS_PORT: '0' })
  const { key, id } = await first.issue({ perMinute: 1 })
  await repeat(4, first, key)
  await send(first)
  const client = await connectToRedis()
  const names = await client.keys(`${prefix}*`)
  expect(names).toEqual(
    expect.arrayContaining([`${prefix}address:127.0.0.1`, `${prefix}key:${id}`]),
  )
  for (const name of names) {
    const left = await client.pTTL(name)
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThanOrEqual(name.includes('key') ? 86_400_000 : 60_000)
    expect(name + JSON.stringify(await client.hGetAll(name))).not.toContain(key)
  }
  expect((await readMetrics(first)).get('animal_store_redis_up')).toBe(1)
})
