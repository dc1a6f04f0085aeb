import { beforeEach, expect, test } from 'vitest'
import { issueKey } from '../../server/access/issue.ts'
import type { Store } from '../../server/store/store.ts'
import { openAt } from '../support/places/place.ts'
import { createPostgresPlace } from '../support/places/postgres-place.ts'
import { query, whyNoPostgres } from '../support/places/postgres-server.ts'
import { planTerms } from '../support/service.ts'
import { startServiceProcess } from '../support/service-process.ts'
import { animal } from './support/asking.ts'
import { createRedisServer } from './support/redis-server.ts'

beforeEach(({ skip }) => skip(whyNoPostgres !== undefined, whyNoPostgres))

const perMinute = 60

async function issue({ keys }: Store, terms: { readonly perMinute: number }) {
  const given = { ...planTerms('business'), name: undefined, expiresAt: undefined, ...terms }
  const { key, record } = issueKey(given)
  await keys.add(record)
  return { id: record.id, authorization: { Authorization: `Bearer ${key}` } }
}

/** What each origin answers to a number of requests; all are sent at once. */
function askAll(origins: readonly string[], each: number, init: RequestInit): Promise<Response[]> {
  const urls = Array.from({ length: each }, () => origins.map((origin) => `${origin}/v1/pets`))
  return Promise.all(urls.flat().map((url) => fetch(url, init)))
}

const statusesOf = (answers: readonly Response[]) => answers.map(({ status }) => status)

test('three processes on one PostgreSQL and one Redis are one service', async (context) => {
  const redis = await createRedisServer(context)
  await redis.start()
  const { url } = await createPostgresPlace()
  const environment = {
    DATABASE_URL: url,
    REDIS_URL: redis.url,
    BAN_AFTER: '1000',
    LOG_LEVEL: 'warn',
  }
  const started = [1, 2, 3].map(() => startServiceProcess('', environment))
  const processes = await Promise.all(started)
  const origins = processes.map(({ origin }) => origin)
  const outages = () => processes.map(({ program }) => program.said().split('"redis"').length)
  const store = await openAt({ url })

  // A process that gets no core for 50 milliseconds takes Redis for lost, says so, and counts for
  // itself: limits are exact as long as none does.
  let counted: Response[] = []
  for (let before: number[] = []; before.join() !== outages().join(); ) {
    before = outages()
    const limited = await issue(store, { perMinute })
    counted = await askAll(origins, perMinute, { headers: limited.authorization })
  }
  const good = counted.filter(({ status }) => status === 200)
  const remaining = good.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
  expect(remaining.sort((a, b) => b - a)).toEqual([...Array(perMinute).keys()].reverse())
  expect(statusesOf(counted).filter((status) => status === 429)).toHaveLength(2 * perMinute)

  const writer = await issue(store, { perMinute: 1_000 })
  const created = await askAll(origins, 17, {
    method: 'POST',
    body: JSON.stringify(animal),
    headers: {
      ...writer.authorization,
      'Content-Type': 'application/json',
      'Idempotency-Key': 'once',
    },
  })
  for (const status of statusesOf(created)) expect([201, 409]).toContain(status)
  const added = created.filter(({ status }) => status === 201)
  expect(new Set(await Promise.all(added.map((answer) => answer.text()))).size).toBe(1)
  expect(await query(url, 'SELECT id FROM animals')).toHaveLength(1)

  const askEach = async () =>
    statusesOf(await askAll(origins, 1, { headers: writer.authorization }))
  expect(await askEach()).toEqual([200, 200, 200])
  await store.keys.revoke(writer.id, Date.now())
  await expect.poll(askEach, { timeout: 5_000, interval: 100 }).toEqual([401, 401, 401])
})
