import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { basePath } from '../../../generated/operations.ts'
import { connectToRedis } from '../../helpers/redis.ts'
import { startTestService, type TestService } from '../../helpers/service.ts'
import { startServiceProcess } from '../../helpers/service-process.ts'
import { readMetrics } from '../../platform/ops/support/metrics.ts'
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

const statusOf = async ({ send }: TestService, key: string) =>
  (await send(`${basePath}/pets`, { key })).status

/** Sends requests at once, none of which may fail. */
async function allGood(service: TestService, key: string, times = 30): Promise<void> {
  const statuses = await Promise.all(Array.from({ length: times }, () => statusOf(service, key)))
  expect(statuses).toEqual(Array(times).fill(200))
}

/** Sends requests, none of which may fail, until the log reports that Redis counts once more. */
async function goodUntilBack(
  service: TestService,
  key: string,
  before = returns(service).length,
): Promise<void> {
  while (returns(service).length === before) {
    await allGood(service, key, 1)
    await wait(20)
  }
}

test('a service that starts without Redis warns, keeps its own limit and bans, and uses Redis once it is there, also after it was killed', async (context) => {
  const redis = await createRedisServer(context)
  const environment = { REDIS_URL: redis.url, BAN_AFTER: '3', OPS_PORT: '0' }
  const service = await startTestService(environment, undefined, longTimeout)
  const own = await service.issue({ perMinute: 2 })
  const statuses = await Promise.all([1, 2, 3, 4].map(() => statusOf(service, own.key)))
  expect(statuses.sort()).toEqual([200, 200, 429, 429])
  const banned = await service.send('/v1/pets', { key: own.key })
  expect(await banned.json()).toMatchObject({ code: 'api_key_banned' })
  const warning = { msg: 'rate limits: Redis unavailable, counting locally', redis: redis.url }
  expect(warnings(service)).toMatchObject([warning])
  // Counters are read twice: what is shown must not add up.
  await readMetrics(service)
  const series = await readMetrics(service)
  expect(series.get('animal_store_redis_up')).toBe(0)
  expect(series.get('animal_store_redis_outages_total')).toBe(1)
  expect(series.get('animal_store_limits_counted_alone_total')).toBe(5)
  await redis.start()
  await goodUntilBack(service, service.apiKey)
  expect(returns(service)).toHaveLength(1)

  const { key, id } = await service.issue({ perMinute: 1_000 })
  await allGood(service, key)
  const killed = redis.kill()
  await allGood(service, key)
  await killed
  await allGood(service, key)
  expect(warnings(service)).toMatchObject([warning, warning])
  expect(returns(service)).toHaveLength(1)
  await redis.start()
  await goodUntilBack(service, key)
  await allGood(service, key, 1)
  const client = await connectToRedis(redis.url)
  expect(Number(await client.hGet(`animal-store:key:${id}`, 'minute'))).toBeGreaterThan(0)
  expect(warnings(service)).toHaveLength(2)
  expect(returns(service)[1]).toMatchObject({ outages: 2, countedLocally: expect.any(Number) })
  expect(Number(returns(service)[1]?.['countedLocally'])).toBeGreaterThanOrEqual(30)
})

test('rate limit while the network loses everything to and from Redis: no request waits, and Redis is used again', async (context) => {
  const redis = await createRedisServer(context)
  await redis.start()
  const proxy = await startProxy(redis.url)
  const service = await startTestService({ REDIS_URL: proxy.url }, undefined, brief)
  const { key } = await service.issue()
  await allGood(service, key)
  proxy.behave('swallow')
  const seen = proxy.connections()
  // New connections get no response either.
  while (proxy.connections() === seen) await allGood(service, key, 2)
  expect(reasonsOf(service)).toContainEqual(expect.stringMatching(/^no response within \d+ ms$/))
  proxy.behave('pass')
  await goodUntilBack(service, key)
})

test('a Redis that responds later than requests wait for it is reported once', async (context) => {
  const redis = await createRedisServer(context)
  await redis.start()
  const proxy = await startProxy(redis.url)
  const service = await startTestService({ REDIS_URL: proxy.url }, undefined, brief)
  await allGood(service, service.apiKey)
  proxy.behave('delay')
  const seen = proxy.connections()
  while (proxy.connections() < seen + 3) await allGood(service, service.apiKey, 1)
  expect(warnings(service)).toHaveLength(1)
  proxy.behave('pass')
  await goodUntilBack(service, service.apiKey)
})

test('a pause of Redis that many requests meet at once is no outage', async (context) => {
  const redis = await createRedisServer(context)
  await redis.start()
  const service = await startTestService({ REDIS_URL: redis.url }, undefined, brief)
  const { key } = await service.issue()
  await allGood(service, key)
  const operator = await connectToRedis(redis.url)
  await operator.sendCommand(['CLIENT', 'PAUSE', `${2 * brief.timeout}`])
  await allGood(service, key)
  expect(warnings(service)).toEqual([])
})

test('the Redis permissions that docs/deployment.md lists are enough; while Redis sends errors, no request fails, and the log has the error and no password', async (context) => {
  const redis = await createRedisServer(context)
  await redis.start()
  const operator = await connectToRedis(redis.url)
  const rights = '~animal-store:* +@connection +eval +evalsha +hmget +hset +pexpire +time'
  await operator.sendCommand(['ACL', 'SETUSER', 'store', 'on', '>a b/c', ...rights.split(' ')])
  const url = `${redis.url.replace('//', '//store:a%20b%2Fc@')}/3`
  const service = await startTestService({ REDIS_URL: url }, undefined, longTimeout)
  const { key, id } = await service.issue()
  await allGood(service, key, 10)
  expect(reasonsOf(service)).toEqual([])
  await operator.select(3)
  expect(await operator.hGet(`animal-store:key:${id}`, 'minute')).toBe('10')
  for (const [error, begin, end] of [
    ['READONLY', ['REPLICAOF', '127.0.0.1', '1'], ['REPLICAOF', 'NO', 'ONE']],
    ['OOM', ['CONFIG', 'SET', 'maxmemory', '1'], ['CONFIG', 'SET', 'maxmemory', '0']],
  ] as const) {
    const before = returns(service)
    await operator.sendCommand([...begin])
    await allGood(service, key, 10)
    // Two attempts to return: the first one has ended.
    const connections = async () =>
      Number(/total_connections_received:(\d+)/.exec(await operator.info('stats'))?.[1])
    const seen = await connections()
    while ((await connections()) < seen + 2) await allGood(service, key, 1)
    expect(reasonsOf(service).at(-1)).toContain(error)
    expect(returns(service)).toEqual(before)
    await operator.sendCommand([...end])
    // The second attempt may succeed already.
    await goodUntilBack(service, key, before.length)
  }
  await operator.sendCommand(['ACL', 'SETUSER', 'store', 'resetpass', '>other'])
  await operator.sendCommand(['CLIENT', 'KILL', 'USER', 'store'])
  await expect.poll(() => reasonsOf(service)).toHaveLength(3)
  await allGood(service, key, 10)
  const rejected = await startTestService({ REDIS_URL: url }, undefined, longTimeout)
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
    const { status } = await service.send('/v1/pets')
    const ended = await service.program.kill('SIGTERM')
    return { asked: status, ended: ended.status, errorOutput: ended.errorOutput }
  })
  expect(await Promise.all(ends)).toEqual(Array(3).fill({ asked: 200, ended: 0, errorOutput: '' }))
})
