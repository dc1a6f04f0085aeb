import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { ask } from '../../helpers/ask.ts'
import { startProgram } from '../../helpers/program.ts'
import { connectToRedis } from '../../helpers/redis.ts'
import { startTestService, type TestService } from '../../helpers/service.ts'
import { startServiceProcess } from '../../helpers/service-process.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { startProxy } from './support/proxy.ts'
import { createRedisServer } from './support/redis-server.ts'

const warnings = ({ logged }: TestService) => logged.filter(({ level }) => level === 'warn')
const reasonsOf = (service: TestService) => warnings(service).map(({ reason }) => `${reason}`)
const returns = ({ logged }: TestService) =>
  logged.filter(({ msg }) => msg === 'limits are counted in Redis')

/** Nothing but a fault may end the wait for Redis, however busy the machine is. */
const patient = { patience: 60_000 }

/** Longer than a busy machine keeps Redis from a response, and not too long to wait for. */
const brief = { patience: 1_000 }

/** Asks until the log said so many times that Redis counts; gives the statuses. */
async function askUntilBack(service: TestService, key: string, times = 2): Promise<number[]> {
  const statuses: number[] = []
  while (returns(service).length < times) {
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

test('rate limit while Redis is killed: no request fails, and Redis is used again when it is back', async (context) => {
  const redis = await createRedisServer(context)
  await redis.start()
  const service = await startTestService({ REDIS_URL: redis.url }, undefined, patient)
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

test('rate limit while Redis hangs: requests do not wait for it, and it is used again', async (context) => {
  const redis = await createRedisServer(context)
  await redis.start()
  const service = await startTestService({ REDIS_URL: redis.url }, undefined, brief)
  const { key } = await service.issue({ perMinute: 1_000 })
  allGood(await askMany(service, key))
  await redis.signal('SIGSTOP')
  allGood(await askMany(service, key))
  allGood(await askMany(service, key))
  expect(warnings(service)).toHaveLength(1)
  expect(warnings(service)[0]).toMatchObject({ reason: 'no answer within 1000 ms' })
  await redis.signal('SIGCONT')
  allGood(await askUntilBack(service, key))
})

test('rate limit while the network loses everything: requests do not wait, new connections included', async (context) => {
  const redis = await createRedisServer(context)
  await redis.start()
  const proxy = await startProxy(redis.url)
  const service = await startTestService({ REDIS_URL: proxy.url }, undefined, brief)
  const { key } = await service.issue({ perMinute: 1_000_000 })
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

test('rate limit without Redis: each instance keeps its own limit, and bans', async (context) => {
  const redis = await createRedisServer(context)
  const service = await startTestService({ REDIS_URL: redis.url, BAN_AFTER: '3' })
  const { key } = await service.issue({ perMinute: 2 })
  const statuses = await askMany(service, key, 4)
  expect(statuses.filter((status) => status === 200)).toHaveLength(2)
  const banned = await service.send('/v1/pets', { headers: { Authorization: `Bearer ${key}` } })
  expect(await banned.json()).toMatchObject({ code: 'api_key_banned' })
})

test('a service that starts without Redis logs a warning, and uses Redis once it is there', async (context) => {
  const redis = await createRedisServer(context)
  const service = await startTestService({ REDIS_URL: redis.url })
  const { key } = await service.issue({ perMinute: 1_000 })
  allGood(await askMany(service, key))
  expect(warnings(service)).toHaveLength(1)
  expect(warnings(service)[0]?.['msg']).toMatch(
    /this instance counts for itself.*See that Redis runs/,
  )
  await redis.start()
  allGood(await askUntilBack(service, key, 1))
})

const faults = [
  ['READONLY', ['REPLICAOF', '127.0.0.1', '1'], ['REPLICAOF', 'NO', 'ONE']],
  ['OOM', ['CONFIG', 'SET', 'maxmemory', '1'], ['CONFIG', 'SET', 'maxmemory', '0']],
  ['NOPERM', ['ACL', 'SETUSER', 'store', '-evalsha'], ['ACL', 'SETUSER', 'store', '+evalsha']],
] as const

test.for(faults)(
  'rate limit while Redis sends the error %s: not counted there until that is over',
  async ([error, begin, end], context) => {
    const redis = await createRedisServer(context)
    await redis.start()
    const operator = await connectToRedis(redis.url)
    await operator.sendCommand(['ACL', 'SETUSER', 'store', 'on', '>s3cret', '~*', '+@all'])
    const url = redis.url.replace('//', '//store:s3cret@')
    const service = await startTestService({ REDIS_URL: url }, undefined, patient)
    const { key } = await service.issue()
    allGood(await askMany(service, key, 10))
    await operator.sendCommand([...begin])
    allGood(await askMany(service, key, 10))
    expect(reasonsOf(service)).toHaveLength(1)
    expect(reasonsOf(service)[0]).toContain(error)
    await operator.sendCommand([...end])
    allGood(await askUntilBack(service, key))
    expect(JSON.stringify(service.logged)).not.toContain('s3cret')
  },
)

test.for([
  'LOADING Redis is loading the dataset in memory',
  'MASTERDOWN Link with MASTER is down',
  'BUSY Redis is busy running a script',
  'MISCONF Redis is configured to save RDB snapshots',
])(
  'rate limit while Redis sends -%s: counted in the process until that is over',
  async (error, context) => {
    const redis = await createRedisServer(context)
    await redis.start()
    const proxy = await startProxy(redis.url)
    const service = await startTestService({ REDIS_URL: proxy.url }, undefined, patient)
    const { key } = await service.issue()
    allGood(await askMany(service, key, 10))
    proxy.behave({ error })
    allGood(await askMany(service, key, 10))
    expect(reasonsOf(service)).toEqual([error])
    proxy.behave('pass')
    allGood(await askUntilBack(service, key))
  },
)

test('a password that Redis rejects is logged without the password, and requests are 200', async (context) => {
  const redis = await createRedisServer(context)
  await redis.start('--requirepass', 'right')
  const url = redis.url.replace('//', '//:s3cret%2Fwrong@')
  const service = await startTestService({ REDIS_URL: url }, undefined, patient)
  const { key } = await service.issue()
  allGood(await askMany(service, key, 10))
  expect(reasonsOf(service)).toEqual([expect.stringContaining('WRONGPASS')])
  expect(JSON.stringify(service.logged)).not.toContain('s3cret')
})

test('the Redis permissions that docs/scaling.md lists are enough', async (context) => {
  const redis = await createRedisServer(context)
  await redis.start()
  const operator = await connectToRedis(redis.url)
  const rights = '~animal-store:* +@connection +eval +evalsha +hmget +hset +pexpire +time'
  await operator.sendCommand(['ACL', 'SETUSER', 'store', 'on', '>a b/c', ...rights.split(' ')])
  const url = `${redis.url.replace('//', '//store:a%20b%2Fc@')}/3`
  const service = await startTestService({ REDIS_URL: url }, undefined, patient)
  const { key, id } = await service.issue()
  allGood(await askMany(service, key, 10))
  expect(reasonsOf(service)).toEqual([])
  await operator.select(3)
  expect(await operator.hGet(`animal-store:key:${id}`, 'minute')).toBe('10')
})

const storeFile = () => join(createTemporaryFolder(), 'store.sqlite')

test('graceful stop with Redis there, away, and lost by the network', async (context) => {
  const away = await createRedisServer(context)
  const there = await createRedisServer(context)
  await there.start()
  const proxy = await startProxy(there.url)
  proxy.behave('swallow')
  const ends = [there, away, proxy].map(async ({ url }) => {
    const service = await startServiceProcess(storeFile(), { REDIS_URL: url })
    const headers = { Authorization: `Bearer ${await service.firstKey()}` }
    const { status } = await fetch(`${service.origin}/v1/pets`, { headers })
    const ended = await service.program.kill('SIGTERM')
    return { asked: status, ended: ended.status, complaint: ended.complaint }
  })
  expect(await Promise.all(ends)).toEqual(Array(3).fill({ asked: 200, ended: 0, complaint: '' }))
})

test('a service that cannot listen ends with status 1 while connected to Redis', async (context) => {
  const redis = await createRedisServer(context)
  await redis.start()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const env = {
    PORT: typeof address === 'object' ? `${address?.port}` : '',
    DATABASE_URL: `sqlite:${storeFile()}`,
    REDIS_URL: redis.url,
    LOG_LEVEL: 'warn',
  }
  const ended = await startProgram('server/main.ts', [], { env }).ended
  expect(ended).toMatchObject({ status: 1, output: '' })
  expect(ended.complaint).toContain('address already in use')
})

// Passes once a response of Redis may take longer than 50 ms.
test.fails('instances share a rate limit exactly while Redis takes 80 ms to respond, without a warning', async (context) => {
  const redis = await createRedisServer(context)
  await redis.start()
  const proxy = await startProxy(redis.url)
  const first = await startTestService({ REDIS_URL: proxy.url })
  const second = await startTestService({ REDIS_URL: proxy.url }, first.place)
  const { key } = await first.issue({ perMinute: 10 })
  proxy.behave('slow')
  const statuses = await Promise.all([askMany(first, key, 10), askMany(second, key, 10)])
  const accepted = statuses.flat().filter((status) => status === 200)
  const warned = [...warnings(first), ...warnings(second)].map(({ msg }) => msg)
  expect({ accepted: accepted.length, warned }).toEqual({ accepted: 10, warned: [] })
})
