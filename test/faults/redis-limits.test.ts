import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ask } from '../support/ask.ts'
import { connectToRedis } from '../support/redis.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { startRedisProxy } from './support/redis-proxy.ts'
import { createRedisServer } from './support/redis-server.ts'

const warnings = ({ logged }: TestService) => logged.filter(({ level }) => level === 'warn')
const returns = ({ logged }: TestService) =>
  logged.filter(({ msg }) => msg === 'limits are counted in Redis')

/** Asks until requests are counted in Redis again; gives the statuses. */
async function askUntilBack(service: TestService, key: string): Promise<number[]> {
  const before = returns(service).length
  const statuses: number[] = []
  while (returns(service).length === before) {
    statuses.push((await ask(service, key)).status)
    await wait(20)
  }
  return statuses
}

/** Requests at once, before and after which nothing is known of the fault. */
async function askMany(service: TestService, key: string, times = 30): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: times }, () => ask(service, key)))
  return answers.map(({ status }) => status)
}

const allGood = (statuses: readonly number[]) => expect(new Set(statuses)).toEqual(new Set([200]))

test('Redis that is killed is missed by nobody, and used again when it is back', async (context) => {
  const redis = await createRedisServer(context)
  await redis.start()
  const service = await startTestService({ REDIS_URL: redis.url })
  const { key, id } = await service.issue({ perMinute: 1_000 })
  allGood(await askMany(service, key))
  const killed = redis.signal('SIGKILL')
  allGood(await askMany(service, key))
  await killed
  allGood(await askMany(service, key))
  expect(warnings(service)).toHaveLength(1)
  expect(warnings(service)[0]).toMatchObject({ redis: redis.url })
  expect(returns(service)).toHaveLength(1)
  await redis.start()
  allGood(await askUntilBack(service, key))
  await ask(service, key)
  const client = await connectToRedis(redis.url)
  expect(Number(await client.hGet(`animal-store:key:${id}`, 'minute'))).toBeGreaterThan(0)
  expect(warnings(service)).toHaveLength(1)
  expect(returns(service)[1]).toMatchObject({ outages: 1, countedAlone: expect.any(Number) })
  expect(Number(returns(service)[1]?.['countedAlone'])).toBeGreaterThanOrEqual(30)
})

test('Redis that stands still is not waited for, and used again when it goes on', async (context) => {
  const redis = await createRedisServer(context)
  await redis.start()
  const service = await startTestService({ REDIS_URL: redis.url })
  const { key } = await service.issue({ perMinute: 1_000 })
  allGood(await askMany(service, key))
  await redis.signal('SIGSTOP')
  allGood(await askMany(service, key))
  allGood(await askMany(service, key))
  expect(warnings(service)).toHaveLength(1)
  expect(warnings(service)[0]).toMatchObject({ reason: 'no answer within 50 ms' })
  await redis.signal('SIGCONT')
  allGood(await askUntilBack(service, key))
})

test('a network that swallows everything is not waited for, new connections included', async (context) => {
  const redis = await createRedisServer(context)
  await redis.start()
  const proxy = await startRedisProxy(redis.port)
  const service = await startTestService({ REDIS_URL: proxy.url })
  const { key } = await service.issue({ perMinute: 1_000 })
  allGood(await askMany(service, key))
  proxy.behave('swallow')
  allGood(await askMany(service, key))
  const seen = proxy.connections()
  while (proxy.connections() < seen + 2) {
    allGood(await askMany(service, key, 2))
    await wait(20)
  }
  expect(warnings(service)).toHaveLength(1)
  proxy.behave('pass')
  allGood(await askUntilBack(service, key))
})

test('while Redis is away each instance holds its own limit, and bans', async (context) => {
  const redis = await createRedisServer(context)
  const service = await startTestService({ REDIS_URL: redis.url, BAN_AFTER: '3' })
  const { key } = await service.issue({ perMinute: 2 })
  const statuses = await askMany(service, key, 4)
  expect(statuses.filter((status) => status === 200)).toHaveLength(2)
  const banned = await service.send('/v1/pets', { headers: { Authorization: `Bearer ${key}` } })
  expect(await banned.json()).toMatchObject({ code: 'api_key_banned' })
})

test('a service that starts without Redis says so, and uses it once it is there', async (context) => {
  const redis = await createRedisServer(context)
  const service = await startTestService({ REDIS_URL: redis.url })
  const { key } = await service.issue({ perMinute: 1_000 })
  allGood(await askMany(service, key))
  expect(warnings(service)).toHaveLength(1)
  expect(warnings(service)[0]?.['msg']).toMatch(
    /this instance counts for itself.*See that Redis runs/,
  )
  await redis.start()
  allGood(await askUntilBack(service, key))
})
