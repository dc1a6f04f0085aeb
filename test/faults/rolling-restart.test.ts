import { beforeEach, expect, test } from 'vitest'
import { type AnimalStore, createAnimalStore } from '../../client/index.ts'
import { issueKey } from '../../server/access/issue.ts'
import { openAt } from '../support/places/place.ts'
import { createPostgresPlace } from '../support/places/postgres-place.ts'
import { query, whyNoPostgres } from '../support/places/postgres-server.ts'
import { planTerms } from '../support/service.ts'
import { startServiceProcess } from '../support/service-process.ts'
import { startBalancer } from './support/balancer.ts'
import { createRedisServer } from './support/redis-server.ts'

beforeEach(({ skip }) => skip(whyNoPostgres !== undefined, whyNoPostgres))

const workers = 8

/** Requests that are answered at least while one instance is replaced by another. */
const leastLoad = workers * 10

/** Adds and lists without a pause, until it is told to stop. */
function startLoad(client: AnimalStore) {
  const added = new Set<number>()
  let isOver = false
  let answered = 0
  const load = Array.from({ length: workers }, async (_, worker) => {
    for (let turn = 0; !isOver; turn++) {
      const { id } = await client.createPet({ name: `${worker}.${turn}`, categoryId: 7 })
      added.add(id)
      await client.listPets({ limit: 5 })
      answered += 2
    }
  })
  const running = Promise.all(load)
  // Seen when it is awaited, after the last instance was replaced.
  running.catch(() => undefined)
  return {
    answered: () => answered,
    async stop() {
      isOver = true
      await running
      return added
    },
  }
}

test('three instances are replaced one by one under load, and no request fails', {
  timeout: 120_000,
}, async (context) => {
  const redis = await createRedisServer(context)
  await redis.start()
  const { url } = await createPostgresPlace()
  const environment = { DATABASE_URL: url, REDIS_URL: redis.url }
  const balancer = await startBalancer()
  const start = async () => {
    const instance = await startServiceProcess('', environment)
    await balancer.add(instance.origin)
    return instance
  }
  const instances = [await start(), await start(), await start()]
  const { keys } = await openAt({ url })
  const { key: apiKey, record } = issueKey({
    name: 'load',
    expiresAt: undefined,
    ...planTerms('business'),
    perMinute: 1e6,
    perDay: 1e6,
  })
  await keys.add(record)

  // Nothing is tried again: what fails is seen.
  const options = { apiKey, retry: false } as const
  const client = createAnimalStore({ ...options, baseUrl: `${balancer.origin}/v1` })
  const load = startLoad(client)
  for (const instance of instances) {
    const before = load.answered()
    await start()
    expect(await instance.program.kill('SIGTERM')).toMatchObject({ status: 0, complaint: '' })
    expect(load.answered() - before).toBeGreaterThanOrEqual(leastLoad)
  }
  const added = await load.stop()
  const kept = await query(url, 'SELECT id FROM animals')
  expect(new Set(kept.map(({ id }) => Number(id)))).toEqual(added)
})
