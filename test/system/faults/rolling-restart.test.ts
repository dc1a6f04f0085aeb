import { setTimeout as wait } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { type AnimalStore, createAnimalStore } from '../../../client/index.ts'
import { createKeysCommandAt } from '../../helpers/keys-command.ts'
import { createPostgresPlace } from '../../helpers/places/postgres-place.ts'
import { query, whyNoPostgres } from '../../helpers/places/postgres-server.ts'
import { startServiceProcess } from '../../helpers/service-process.ts'
import { startBalancer } from './support/balancer.ts'
import { createRedisServer } from './support/redis-server.ts'

beforeEach(({ skip }) => skip(whyNoPostgres !== undefined, whyNoPostgres))

const workers = 8

/** Requests with a response at least before the next instance is replaced. */
const leastLoad = workers * 10

/** Adds and lists without a pause, until it is told to stop. */
function startLoad(client: AnimalStore) {
  const added = new Set<number>()
  let isOver = false
  let responses = 0
  const load = Array.from({ length: workers }, async (_, worker) => {
    for (let turn = 0; !isOver; turn++) {
      const { id } = await client.createPet({ name: `${worker}.${turn}`, categoryId: 7 })
      added.add(id)
      await client.listPets({ limit: 5 })
      responses += 2
    }
  })
  const running = Promise.all(load)
  // Reported when it is awaited, after the last instance was replaced.
  running.catch(() => undefined)
  return {
    responses: () => responses,
    async stop() {
      isOver = true
      await running
      return added
    },
  }
}

test('rolling restart: three instances are replaced one by one under load, and no request fails', {
  timeout: 240_000,
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
  const limits = ['--per-minute', '1000000', '--per-day', '1000000']
  const issue = ['issue', '--plan', 'enterprise', ...limits]
  const { key: apiKey } = await createKeysCommandAt(url).make(...issue)

  // A busy machine may make an instance send a 503; a connection that fails is seen by the balancer.
  const client = createAnimalStore({ apiKey, baseUrl: `${balancer.origin}/v1` })
  const load = startLoad(client)
  for (const instance of instances) {
    const before = load.responses()
    await start()
    while (load.responses() < before + leastLoad) await wait(20)
    expect(await instance.program.kill('SIGTERM')).toMatchObject({ status: 0, complaint: '' })
  }
  const added = await load.stop()
  expect(balancer.failures).toEqual([])
  const kept = await query(url, 'SELECT id FROM animals')
  expect(new Set(kept.map(({ id }) => Number(id)))).toEqual(added)
})
