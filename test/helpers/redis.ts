import { randomUUID } from 'node:crypto'
import { createClient } from '@redis/client'
import { onTestFinished, type TestContext } from 'vitest'

/** The Redis or Valkey that tests count in, under names of their own. */
export const redisUrl = process.env['TEST_REDIS_URL'] || 'redis://127.0.0.1:6379'

/** Longer than any machine takes, so that only what a test does to Redis is felt. */
const endless = 30_000

let reached: Promise<boolean> | undefined

/** Leaves a test out where there is no Redis. */
export async function needRedis({ skip }: Pick<TestContext, 'skip'>): Promise<void> {
  reached ??= isReachable()
  if (await reached) return
  const { host } = new URL(redisUrl)
  skip(`no Redis responds at ${host}; start one, or name another in TEST_REDIS_URL`)
}

/** A client for looking at what is kept; it ends with the test. */
export async function connectToRedis(url = redisUrl) {
  const client = createClient({ url })
  client.on('error', () => undefined)
  await client.connect()
  onTestFinished(() => client.destroy())
  return client
}

/** Names in Redis that belong to one test, and are gone after it. */
export async function createOwnNames() {
  const prefix = `test:${randomUUID()}:`
  const client = await connectToRedis()
  onTestFinished(async () => {
    const names = await client.keys(`${prefix}*`)
    if (names.length > 0) await client.del(names)
  })
  return { prefix, timeout: endless }
}

async function isReachable(): Promise<boolean> {
  const client = createClient({ url: redisUrl, socket: { reconnectStrategy: false } })
  client.on('error', () => undefined)
  const connected = client.connect().then(() => client.destroy())
  return connected.then(() => true).catch(() => false)
}
