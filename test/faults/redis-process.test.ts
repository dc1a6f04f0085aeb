import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startProgram } from '../support/program.ts'
import { startServiceProcess } from '../support/service-process.ts'
import { createTemporaryFolder } from '../support/temporary-folder.ts'
import { startRedisProxy } from './support/redis-proxy.ts'
import { createRedisServer } from './support/redis-server.ts'

const storeFile = () => join(createTemporaryFolder(), 'store.sqlite')

test('a service ends in order with Redis there, away, and swallowed by the network', async (context) => {
  const away = await createRedisServer(context)
  const there = await createRedisServer(context)
  await there.start()
  const proxy = await startRedisProxy(there.port)
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

test('a service that cannot listen ends, connected to Redis or not', async (context) => {
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
