import { randomUUID } from 'node:crypto'
import { createClient } from '@redis/client'
import { onTestFinished, type TestContext } from 'vitest'
import { callOnce } from './call-once.ts'

/** The Redis or Valkey that tests count in, under names of their own. */
export const redisUrl = process.env['TEST_REDIS_URL'] || 'redis://127.0.0.1:6379'

/** Opens a client for looking at what is kept; it ends with the test. */
export async function connectToRedis(url = redisUrl) {
  const client = createClient({ url, socket: { reconnectStrategy: false } })
  client.on('error', () => undefined)
  await client.connect()
  onTestFinished(() => client.destroy())
  return client
}

/** Resolves with undefined where there is no Redis. */
const askRedis = callOnce(() => connectToRedis().catch(() => undefined))

/** Skips a test where there is no Redis. */
export async function needRedis({ skip }: Pick<TestContext, 'skip'>): Promise<void> {
  if ((await askRedis()) !== undefined) {
    return
  }
  const { host } = new URL(redisUrl)
  skip(`no Redis responds at ${host}; start one, or name another in TEST_REDIS_URL`)
}

/** Returns names in Redis for one test, gone after it, and a timeout that only a fault exceeds. */
export async function createOwnNames() {
  const prefix = `test:${randomUUID()}:`
  const client = await connectToRedis()
  onTestFinished(async () => {
    const names = await client.keys(`${prefix}*`)
    if (names.length > 0) {
      await client.del(names)
    }
  })
  return { prefix, timeout: 30_000 }
}
