import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ask } from '../support/ask.ts'
import { connectToRedis } from '../support/redis.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { startRedisProxy } from './support/redis-proxy.ts'
import { createRedisServer } from './support/redis-server.ts'

const reasons = ({ logged }: TestService) =>
  logged.filter(({ level }) => level === 'warn').map(({ reason }) => `${reason}`)
const isBack = ({ logged }: TestService) =>
  logged.filter(({ msg }) => msg === 'limits are counted in Redis').length === 2

async function askOften(service: TestService, key: string): Promise<void> {
  for (let turn = 0; turn < 10; turn++) expect((await ask(service, key)).status).toBe(200)
}

const faults = [
  ['READONLY', ['REPLICAOF', '127.0.0.1', '1'], ['REPLICAOF', 'NO', 'ONE']],
  ['OOM', ['CONFIG', 'SET', 'maxmemory', '1'], ['CONFIG', 'SET', 'maxmemory', '0']],
  ['NOPERM', ['ACL', 'SETUSER', 'store', '-evalsha'], ['ACL', 'SETUSER', 'store', '+evalsha']],
] as const

test.for(faults)(
  'Redis that answers %s is not counted in until that is mended',
  async ([error, begin, end], context) => {
    const redis = await createRedisServer(context)
    await redis.start()
    const operator = await connectToRedis(redis.url)
    await operator.sendCommand(['ACL', 'SETUSER', 'store', 'on', '>s3cret', '~*', '+@all'])
    const url = redis.url.replace('//', '//store:s3cret@')
    const service = await startTestService({ REDIS_URL: url })
    const { key } = await service.issue()
    await askOften(service, key)
    await operator.sendCommand([...begin])
    await askOften(service, key)
    expect(reasons(service)).toHaveLength(1)
    expect(reasons(service)[0]).toContain(error)
    await operator.sendCommand([...end])
    while (!isBack(service)) {
      expect((await ask(service, key)).status).toBe(200)
      await wait(20)
    }
    expect(JSON.stringify(service.logged)).not.toContain('s3cret')
  },
)

test.for([
  'LOADING Redis is loading the dataset in memory',
  'MASTERDOWN Link with MASTER is down',
  'BUSY Redis is busy running a script',
  'MISCONF Redis is configured to save RDB snapshots',
])('-%s counts in the process until it is over', async (error, context) => {
  const redis = await createRedisServer(context)
  await redis.start()
  const proxy = await startRedisProxy(redis.port)
  const service = await startTestService({ REDIS_URL: proxy.url })
  const { key } = await service.issue()
  await askOften(service, key)
  proxy.behave({ error })
  await askOften(service, key)
  expect(reasons(service)).toEqual([error])
  proxy.behave('pass')
  while (!isBack(service)) {
    expect((await ask(service, key)).status).toBe(200)
    await wait(20)
  }
})

test('a password that Redis refuses is told without it, and the service answers', async (context) => {
  const redis = await createRedisServer(context)
  await redis.start('--requirepass', 'right')
  const url = redis.url.replace('//', '//:s3cret%2Fwrong@')
  const service = await startTestService({ REDIS_URL: url })
  const { key } = await service.issue()
  await askOften(service, key)
  expect(reasons(service)).toEqual([expect.stringContaining('WRONGPASS')])
  expect(JSON.stringify(service.logged)).not.toContain('s3cret')
})

test('the rights that docs/scaling.md names are enough', async (context) => {
  const redis = await createRedisServer(context)
  await redis.start()
  const operator = await connectToRedis(redis.url)
  const rights = '~animal-store:* +@connection +eval +evalsha +hmget +hset +pexpire +time'
  await operator.sendCommand(['ACL', 'SETUSER', 'store', 'on', '>a b/c', ...rights.split(' ')])
  const url = `${redis.url.replace('//', '//store:a%20b%2Fc@')}/3`
  const service = await startTestService({ REDIS_URL: url })
  const { key, id } = await service.issue()
  await askOften(service, key)
  expect(reasons(service)).toEqual([])
  await operator.select(3)
  expect(await operator.hGet(`animal-store:key:${id}`, 'minute')).toBe('10')
})
