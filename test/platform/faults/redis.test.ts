import { setTimeout as wait } from 'node:timers/promises'
import { expect, type TestContext, test } from 'vitest'
import { apiName } from '../../../server/process/names.ts'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import { tools } from '../../helpers/fixture-service.ts'
import { readMetrics } from '../../helpers/metrics.ts'
import { connectToRedis } from '../../helpers/redis.ts'
import { startTestService, type TestService } from '../../helpers/service.ts'
import { startServiceProcess } from '../../helpers/service-process.ts'
import { startProxy } from './support/proxy.ts'
import { createRedisServer } from './support/redis-server.ts'

const warnings = ({ logged }: TestService) => logged.filter(({ level }) => level === 'warn')
const reasonsOf = (service: TestService) => warnings(service).map(({ reason }) => `${reason}`)
const returns = ({ logged }: TestService) =>
  logged.filter(({ msg }) => msg === 'rate limits: Redis available')

/** Nothing but a fault may end the wait for Redis, however busy the machine is. */
const longTimeout = { timeout: 60_000 }

/** Long enough for most responses of Redis; a new connection may take twenty times as long. */
const brief = { timeout: 150 }

/** Starts a service that gives up waiting early, behind a proxy on a Redis of its own. */
async function startBehindProxy(context: TestContext) {
  const redis = await createRedisServer(context)
  await redis.start()
  const proxy = await startProxy(redis.url)
  const service = await startTestService({ REDIS_URL: proxy.url }, undefined, brief, fixtureApi)
  await goodUntilBack(service, 1)
  return { redis, proxy, service }
}

const statusOf = async ({ send }: TestService, key: string) => (await send(tools, { key })).status

/** Sends requests at once, none of which may fail. */
async function allGood(service: TestService, times = 30, key = service.apiKey): Promise<void> {
  const statuses = await Promise.all(Array.from({ length: times }, () => statusOf(service, key)))
  expect(statuses).toEqual(Array(times).fill(200))
}

/** Sends requests, none of which may fail, until the log reports so many returns to Redis. */
async function goodUntilBack(service: TestService, times: number): Promise<void> {
  while (returns(service).length < times) {
    await allGood(service, 1)
    await wait(20)
  }
  expect(returns(service)).toHaveLength(times)
}

test('a service that starts without Redis warns, keeps its own limit and bans, and uses Redis once it is there, also after it was killed', async (context) => {
  const redis = await createRedisServer(context)
  const environment = { REDIS_URL: redis.url, BAN_AFTER: '3', OPS_PORT: '0' }
  const service = await startTestService(environment, undefined, longTimeout, fixtureApi)
  const own = await service.issue({ perMinute: 2 })
  const statuses = await Promise.all([1, 2, 3, 4].map(() => statusOf(service, own.key)))
  expect(statuses.sort()).toEqual([200, 200, 429, 429])
  const banned = await service.send(tools, { key: own.key })
  expect(await banned.json()).toMatchObject({ code: 'api_key_banned' })
  const warning = { msg: 'rate limits: Redis unavailable, counting locally', redis: redis.url }
  expect(warnings(service)).toMatchObject([warning])
  // Counters are read twice: what is shown must not add up.
  await readMetrics(service)
  const series = await readMetrics(service)
  expect(series.get('api_redis_up')).toBe(0)
  expect(series.get('api_redis_outages_total')).toBe(1)
  expect(series.get('api_limits_counted_locally_total')).toBe(5)
  await redis.start()
  await goodUntilBack(service, 1)

  const { key, id } = await service.issue({ perMinute: 1_000 })
  await allGood(service)
  const killed = redis.kill()
  await allGood(service)
  await killed
  await allGood(service)
  expect(warnings(service)).toMatchObject([warning, warning])
  await redis.start()
  await goodUntilBack(service, 2)
  await allGood(service, 1, key)
  const client = await connectToRedis(redis.url)
  expect(await client.hGet(`${apiName}:key:${id}`, 'minute')).toBe('1')
  expect(warnings(service)).toHaveLength(2)
  expect(returns(service)[1]).toMatchObject({ outages: 2, countedLocally: expect.any(Number) })
  expect(Number(returns(service)[1]?.['countedLocally'])).toBeGreaterThanOrEqual(30)
})

test.for([
  ['loses everything to and from Redis', 'swallow'],
  ['delays the responses of Redis', 'delay'],
] as const)(
  'rate limit while the network %s: no request waits, one warning is logged, and Redis is used again',
  async ([, manner], context) => {
    const { proxy, service } = await startBehindProxy(context)
    proxy.behave(manner)
    const seen = proxy.connections()
    // New connections do not help either.
    while (proxy.connections() < seen + 2) {
      await allGood(service, 1)
    }
    expect(reasonsOf(service)).toEqual([expect.stringMatching(/^no response within \d+ ms$/)])
    proxy.behave('pass')
    await goodUntilBack(service, 2)
  },
)

test('a pause of Redis that many requests meet at once is no outage', async (context) => {
  const { redis, service } = await startBehindProxy(context)
  const operator = await connectToRedis(redis.url)
  await operator.sendCommand(['CLIENT', 'PAUSE', `${2 * brief.timeout}`])
  await allGood(service)
  expect(warnings(service)).toEqual([])
})

test('the Redis permissions that docs/deployment.md lists are enough; while Redis sends errors, no request fails, and the log has the error and no password', async (context) => {
  const redis = await createRedisServer(context)
  await redis.start()
  const operator = await connectToRedis(redis.url)
  const rights = `~${apiName}:* +@connection +eval +evalsha +hmget +hset +pexpire +time`
  await operator.sendCommand(['ACL', 'SETUSER', 'store', 'on', '>a b/c', ...rights.split(' ')])
  const proxy = await startProxy(`${redis.url.replace('//', '//store:a%20b%2Fc@')}/3`)
  const environment = { REDIS_URL: proxy.url }
  const service = await startTestService(environment, undefined, longTimeout, fixtureApi)
  const { key, id } = await service.issue()
  await allGood(service, 10, key)
  expect(reasonsOf(service)).toEqual([])
  await operator.select(3)
  expect(await operator.hGet(`${apiName}:key:${id}`, 'minute')).toBe('10')
  for (const [error, begin, end] of [
    ['READONLY', ['REPLICAOF', '127.0.0.1', '1'], ['REPLICAOF', 'NO', 'ONE']],
    ['OOM', ['CONFIG', 'SET', 'maxmemory', '1'], ['CONFIG', 'SET', 'maxmemory', '0']],
  ] as const) {
    const before = returns(service).length
    await operator.sendCommand([...begin])
    await allGood(service, 10)
    // Two attempts to return: the first one has ended.
    const seen = proxy.connections()
    while (proxy.connections() < seen + 2) {
      await allGood(service, 1)
    }
    expect(reasonsOf(service).at(-1)).toContain(error)
    expect(returns(service)).toHaveLength(before)
    await operator.sendCommand([...end])
    await goodUntilBack(service, before + 1)
  }
  await operator.sendCommand(['ACL', 'SETUSER', 'store', 'resetpass', '>other'])
  await operator.sendCommand(['CLIENT', 'KILL', 'USER', 'store'])
  await expect.poll(() => reasonsOf(service)).toHaveLength(3)
  await allGood(service, 10)
  const rejected = await startTestService(environment, undefined, longTimeout, fixtureApi)
  expect(reasonsOf(rejected)).toEqual([expect.stringContaining('WRONGPASS')])
  expect(JSON.stringify([...service.logged, ...rejected.logged])).not.toMatch(/a b\/c|a%20b/)
})

test('graceful stop with Redis there, away, and lost by the network', async (context) => {
  const away = await createRedisServer(context)
  const there = await createRedisServer(context)
  await there.start()
  const proxy = await startProxy(there.url)
  proxy.behave('swallow')
  const ends = [there, away, proxy].map(async ({ url }) => {
    const service = await startServiceProcess({ REDIS_URL: url })
    const { status } = await service.send(tools)
    const ended = await service.program.kill('SIGTERM')
    return { asked: status, ended: ended.status, errorOutput: ended.errorOutput }
  })
  expect(await Promise.all(ends)).toEqual(Array(3).fill({ asked: 200, ended: 0, errorOutput: '' }))
})
