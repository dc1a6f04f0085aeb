import { expect, test, vi } from 'vitest'
import { ask } from '../support/ask.ts'
import { findFreePort } from '../support/free-port.ts'
import { createPostgresPlace } from '../support/places/postgres-place.ts'
import { whyNoPostgres } from '../support/places/postgres-server.ts'
import { createOwnNames, needRedis, redisUrl } from '../support/redis.ts'
import { startTestService } from '../support/service.ts'
import { readMetrics } from './support/metrics.ts'

const observed = { OPS_PORT: '0' }

test('the connections to PostgreSQL are shown', async ({ skip }) => {
  if (whyNoPostgres !== undefined) return skip(whyNoPostgres)
  const environment = { ...observed, DATABASE_POOL_SIZE: '1' }
  const service = await startTestService(environment, await createPostgresPlace())
  const shown = async () => {
    const series = await readMetrics(service)
    const of = (name: string) => series.get(`animal_store_database_${name}`)
    const [busy, idle] = [of('connections{state="busy"}'), of('connections{state="idle"}')]
    return { most: of('connections_max'), busy, idle, waiting: of('waiting') }
  }
  await service.client.listPets()
  expect(await shown()).toEqual({ most: 1, busy: 0, idle: 1, waiting: 0 })
  const release = await service.place.blockWriters()
  const creates = [1, 2, 3].map((categoryId) => service.client.createPet({ name: 'a', categoryId }))
  await vi.waitUntil(async () => (await shown()).waiting === 2)
  expect(await shown()).toEqual({ most: 1, busy: 1, idle: 0, waiting: 2 })
  await release()
  await Promise.all(creates)
})

test('Redis is shown to be up', async (context) => {
  await needRedis(context)
  const names = await createOwnNames()
  const service = await startTestService({ ...observed, REDIS_URL: redisUrl }, undefined, names)
  expect((await readMetrics(service)).get('animal_store_redis_up')).toBe(1)
})

test('an outage of Redis is counted, and what is counted alone meanwhile', async () => {
  const url = `redis://127.0.0.1:${await findFreePort()}`
  const service = await startTestService({ ...observed, REDIS_URL: url })
  const { key } = await service.issue()
  for (let count = 0; count < 3; count++) await ask(service, key)
  // Counters are asked twice: what is shown must not add up.
  await readMetrics(service)
  const series = await readMetrics(service)
  expect(series.get('animal_store_redis_up')).toBe(0)
  expect(series.get('animal_store_redis_outages_total')).toBe(1)
  expect(series.get('animal_store_limits_counted_alone_total')).toBe(3)
})
