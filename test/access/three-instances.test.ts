import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ask } from '../support/ask.ts'
import { createPostgresPlace } from '../support/places/postgres-place.ts'
import { whyNoPostgres } from '../support/places/postgres-server.ts'
import { connectToRedis, createOwnNames, needRedis, redisUrl } from '../support/redis.ts'
import { startTestService } from '../support/service.ts'

beforeEach(needRedis)
afterEach(() => {
  vi.useRealTimers()
})

beforeEach(({ skip }) => skip(whyNoPostgres !== undefined, whyNoPostgres))

/** Three services on one PostgreSQL and one Redis, by the clock of Redis. */
async function startThree(environment: Readonly<Record<string, string>> = {}) {
  const names = await createOwnNames()
  const shared = { ...environment, REDIS_URL: redisUrl }
  const place = await createPostgresPlace()
  const first = await startTestService(shared, place, names)
  const second = await startTestService(shared, place, names)
  const third = await startTestService(shared, place, names)
  return { first, second, third, all: [first, second, third], prefix: names.prefix }
}

test.for([
  ['minute', { perMinute: 60, perDay: 1_000 }],
  ['day', { perMinute: 1_000, perDay: 60 }],
] as const)(
  'three times the limit of a %s, at once on three instances, gets the limit',
  async ([, quota]) => {
    const { first, all } = await startThree({ BAN_AFTER: '1000' })
    const { key } = await first.issue(quota)
    const asked = all.flatMap((service) => Array.from({ length: 60 }, () => ask(service, key)))
    const answers = await Promise.all(asked)
    const good = answers.filter(({ status }) => status === 200)
    expect(good.map(({ remaining }) => remaining).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 60 }, (_, index) => index),
    )
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(120)
  },
)

test('refusals on three instances ban a key on all of them', async () => {
  const { first, all } = await startThree()
  const { key } = await first.issue({ perMinute: 1 })
  await ask(first, key)
  const codes = []
  for (let turn = 0; turn < 12; turn++) {
    const service = all[turn % 3] ?? first
    const response = await service.send('/v1/pets', { headers: { Authorization: `Bearer ${key}` } })
    codes.push((await response.json()).code)
  }
  expect(codes.slice(0, 9)).toEqual(Array(9).fill('rate_limited'))
  expect(codes.slice(9)).toEqual(Array(3).fill('api_key_banned'))
})

test('an address without a valid key has one limit on three instances', async () => {
  const { all } = await startThree({ ANONYMOUS_PER_MINUTE: '20' })
  const asked = all.flatMap(({ send }) =>
    Array.from({ length: 20 }, () => send('/v1/pets', { headers: {} })),
  )
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 401)).toHaveLength(20)
  expect(statuses.filter((status) => status === 429)).toHaveLength(40)
})

test('a page walk from instance to instance shows every animal once, while others are added', async () => {
  const { first, all } = await startThree()
  const headers = { Authorization: `Bearer ${first.apiKey}` }
  const { client } = first
  const animals = Array.from({ length: 50 }, (_, index) => ({ name: `${index}`, categoryId: 7 }))
  const before = await Promise.all(animals.map((animal) => client.createPet(animal)))
  const seen: number[] = []
  let path = '/v1/pets?limit=7'
  for (let turn = 0; path !== ''; turn++) {
    const service = all[turn % 3] ?? first
    const [page] = await Promise.all([
      service.send(path, { headers }),
      client.createPet({ name: 'late', categoryId: 7 }),
    ])
    seen.push(...(await page.json()).map(({ id }: { readonly id: number }) => id))
    path = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? ''
    if (turn === 20) break
  }
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen).toEqual(expect.arrayContaining(before.map(({ id }) => id)))
})

test('an instance whose clock is wrong counts by the clock of Redis, and tells times by its own', async () => {
  const { first, second } = await startThree()
  const { key } = await first.issue({ perMinute: 2, perDay: 10 })
  expect(await ask(first, key)).toMatchObject({ remaining: 1 })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2020, 0, 1) })
  const answer = await ask(second, key)
  expect(answer).toMatchObject({ status: 200, remaining: 0 })
  expect(answer.reset - Date.now() / 1000).toBeGreaterThan(0)
  expect(answer.reset - Date.now() / 1000).toBeLessThanOrEqual(60)
  vi.setSystemTime(Date.UTC(2020, 0, 3))
  const refused = await ask(second, key)
  expect(refused.status).toBe(429)
  expect(refused.retryAfter).toBeLessThanOrEqual(60)
})

test('what is kept in Redis ends by itself, and names no key', async () => {
  const { first, prefix } = await startThree({ BAN_AFTER: '2' })
  const { key, id } = await first.issue({ perMinute: 1 })
  for (let turn = 0; turn < 4; turn++) await ask(first, key)
  await first.send('/v1/pets', { headers: {} })
  const client = await connectToRedis()
  const names = await client.keys(`${prefix}*`)
  expect(names.sort()).toEqual(
    [`address:127.0.0.1`, `address:probe`, `key:${id}`].map((name) => prefix + name).sort(),
  )
  for (const name of names) {
    const left = await client.pTTL(name)
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThanOrEqual(name.includes('key') ? 86_400_000 : 60_000)
    expect(JSON.stringify(await client.hGetAll(name))).not.toContain(key)
  }
})

test('what Redis forgot of the scripts is told again', async () => {
  const { first } = await startThree()
  const { key } = await first.issue({ perMinute: 9 })
  await ask(first, key)
  const client = await connectToRedis()
  await client.scriptFlush()
  expect(await ask(first, key)).toMatchObject({ status: 200, remaining: 7 })
  expect(first.logged.filter(({ level }) => level === 'warn')).toEqual([])
})
