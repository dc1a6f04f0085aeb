import { beforeEach, expect, test } from 'vitest'
import { issueKey } from '../../server/access/issue.ts'
import type { Store } from '../../server/store/store.ts'
import { openAt } from '../support/places/place.ts'
import { createPostgresPlace } from '../support/places/postgres-place.ts'
import { query, whyNoPostgres } from '../support/places/postgres-server.ts'
import { planTerms } from '../support/service.ts'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts'
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

const linesWith = ({ program }: ServiceProcess, part: string): string[] =>
  program
    .said()
    .split('\n')
    .filter((line) => line.includes(part))

/**
 * Asks anew until all processes counted in Redis all the time. One that gets no core for 50
 * milliseconds takes Redis for lost, says so, and counts for itself: only without such a moment are
 * limits exact.
 */
async function askWhileShared(
  processes: readonly ServiceProcess[],
  ask: () => Promise<readonly Response[]>,
): Promise<readonly Response[]> {
  const onRedis = () => processes.map((one) => linesWith(one, '"redis":'))
  const areShared = () =>
    onRedis().every((lines) => lines.at(-1)?.includes('are counted in Redis') === true)
  const logged = () => processes.flatMap((one) => linesWith(one, '"operationId"')).length
  for (let asked = 0; ; ) {
    await expect.poll(areShared).toBe(true)
    const before = onRedis().flat().length
    const answers = await ask()
    asked += answers.length
    // The line on a request comes after those on what happened to it.
    await expect.poll(logged).toBe(asked)
    if (onRedis().flat().length === before) return answers
  }
}

test('three processes on one PostgreSQL and one Redis are one service', async (context) => {
  const redis = await createRedisServer(context)
  await redis.start()
  const { url } = await createPostgresPlace()
  const environment = {
    DATABASE_URL: url,
    REDIS_URL: redis.url,
    BAN_AFTER: '1000',
    LOG_LEVEL: 'info',
  }
  const started = [1, 2, 3].map(() => startServiceProcess('', environment))
  const processes = await Promise.all(started)
  const origins = processes.map(({ origin }) => origin)
  const store = await openAt({ url })

  const counted = await askWhileShared(processes, async () => {
    const limited = await issue(store, { perMinute })
    return askAll(origins, perMinute, { headers: limited.authorization })
  })
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
