import { beforeEach, expect, test, vi } from 'vitest'
import { createKeysCommandAt } from '../../helpers/keys-command.ts'
import { engines } from '../../helpers/places/engines.ts'
import { createPostgresPlace } from '../../helpers/places/postgres-place.ts'
import { connect, query, whyNoPostgres } from '../../helpers/places/postgres-server.ts'
import { startTestService } from '../../helpers/service.ts'
import { type ServiceProcess, startServiceProcess } from '../../helpers/service-process.ts'
import { add, animal, list } from './support/asking.ts'
import { createRedisServer } from './support/redis-server.ts'

beforeEach(({ skip }) => skip(whyNoPostgres !== undefined, whyNoPostgres))

test('an idempotency key that another instance uses is 409, and free when that one fails', async () => {
  const place = await createPostgresPlace()
  const service = await startTestService({}, place)
  const [key] = await service.store.keys.list()
  const other = await connect(place.url)
  await other.query('BEGIN')
  const row = [key?.id, 'a', 'fingerprint', 1, Date.now() + 60_000]
  await other.query('INSERT INTO idempotency_keys VALUES ($1, $2, $3, $4, $5)', row)
  const rejected = await add(service, 'a')
  expect(rejected.status).toBe(409)
  expect(rejected.headers.get('retry-after')).toBe('1')
  expect((await add(service, 'b')).status).toBe(201)
  await other.end()
  expect((await add(service, 'a')).status).toBe(201)
})

test('an API key that one instance revokes is rejected by the others within five seconds', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  vi.advanceTimersByTime(1)
  const place = await createPostgresPlace()
  const [one, other] = [await startTestService({}, place), await startTestService({}, place)]
  const { key, id } = await one.issue()
  const door = { ...other, apiKey: key }
  expect((await list(door)).status).toBe(200)
  // By a machine whose clock is an hour ahead.
  await one.store.keys.revoke(id, Date.now() + 3_600_000)
  vi.advanceTimersByTime(5_000)
  expect((await list(door)).status).toBe(401)
  vi.useRealTimers()
})

test('API keys that two instances issue at once are all found', async () => {
  const place = await createPostgresPlace()
  const [one, other] = [await startTestService({}, place), await startTestService({}, place)]
  const keys = await Promise.all(
    Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? one : other).issue()),
  )
  const seen = keys.map(({ key }) => list({ ...other, apiKey: key }))
  expect((await Promise.all(seen)).map(({ status }) => status)).toEqual(Array(40).fill(200))
})

test.for(engines)(
  'four first starts at once on $name make one API key',
  async ({ createPlace }) => {
    const { url } = await createPlace()
    const start = () => startServiceProcess('', { DATABASE_URL: url })
    const processes = await Promise.all([start(), start(), start(), start()])
    const ended = await Promise.all(processes.map(({ program }) => program.kill('SIGTERM')))
    expect(ended.filter(({ output }) => output.includes('ask_'))).toHaveLength(1)
    expect(await createKeysCommandAt(url).list()).toHaveLength(1)
  },
)

/** Few: the longer a burst, the more likely is a moment in which a process gets no core. */
const perMinute = 10

/** Sends each origin a number of requests, all at once. */
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
    await expect.poll(areShared, { timeout: 60_000 }).toBe(true)
    const before = onRedis().flat().length
    const answers = await ask()
    asked += answers.length
    // The line on a request comes after those on what happened to it.
    await expect.poll(logged, { timeout: 60_000 }).toBe(asked)
    if (onRedis().flat().length === before) return answers
  }
}

test('three instances on one PostgreSQL and one Redis share rate limits, idempotency keys and revocations', {
  timeout: 240_000,
}, async (context) => {
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
  const keys = createKeysCommandAt(url)
  const issue = async (perMinute: number) => {
    const limits = ['--per-minute', `${perMinute}`, '--per-day', '100000']
    const { id, key } = await keys.make('issue', '--plan', 'enterprise', ...limits)
    return { id, authorization: { Authorization: `Bearer ${key}` } }
  }

  const counted = await askWhileShared(processes, async () => {
    const limited = await issue(perMinute)
    return askAll(origins, perMinute, { headers: limited.authorization })
  })
  const good = counted.filter(({ status }) => status === 200)
  const remaining = good.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
  expect(remaining.sort((a, b) => b - a)).toEqual([...Array(perMinute).keys()].reverse())
  expect(statusesOf(counted).filter((status) => status === 429)).toHaveLength(2 * perMinute)

  const writer = await issue(1_000)
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
  await keys.run('revoke', writer.id)
  await expect.poll(askEach, { timeout: 60_000, interval: 100 }).toEqual([401, 401, 401])
})
