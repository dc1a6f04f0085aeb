import { beforeEach, expect, test } from 'vitest'
import { apiKeyMarker } from '../../../server/process/names.ts'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import { engines } from '../../helpers/databases/engines.ts'
import { createPostgresDatabase } from '../../helpers/databases/postgres-database.ts'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import type { TestDatabase } from '../../helpers/databases/test-database.ts'
import { tools } from '../../helpers/fixture-service.ts'
import { createKeysCommand } from '../../helpers/keys-command.ts'
import { createOwnNames, needRedis, redisUrl } from '../../helpers/redis.ts'
import { startTestService } from '../../helpers/service.ts'
import { startServiceProcess } from '../../helpers/service-process.ts'

beforeEach(needRedis)

/** Starts three instances on one store and one Redis, whose clock does not move. */
async function startThree(db: TestDatabase) {
  const now = Date.now()
  const redis = { ...(await createOwnNames()), now: () => now }
  // However slow the machine is, no request times out.
  const shared = { OVERLOAD_WAIT_MS: '60000', BAN_AFTER: '1000', REDIS_URL: redisUrl }
  const start = () => startTestService(shared, db, redis, fixtureApi)
  const [first, second, third] = [await start(), await start(), await start()]
  return { first, all: [first, second, third] }
}

test('three times the rate limit of a minute or a day, at once on three instances, gets the limit', async () => {
  const { first, all } = await startThree(await createSqliteDatabase())
  for (const quota of [
    { perMinute: 60, perDay: 1_000 },
    { perMinute: 1_000, perDay: 60 },
  ]) {
    const { key } = await first.issue(quota)
    const sent = Array.from({ length: 60 }, () => all.map(({ send }) => send(tools, { key })))
    const responses = await Promise.all(sent.flat())
    const accepted = responses.filter(({ status }) => status === 200)
    const remaining = accepted.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
    expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, at) => at))
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(120)
  }
})

test('API keys that three instances issue at once are found by the others at once', async () => {
  const { all, first } = await startThree({ ...(await createPostgresDatabase()), timeout: 60_000 })
  const seen = Array.from({ length: 42 }, async (_, at) => {
    const { key } = await (all[at % 3] ?? first).issue()
    return (all[(at + 1) % 3] ?? first).send(tools, { key })
  })
  expect((await Promise.all(seen)).map(({ status }) => status)).toEqual(Array(42).fill(200))
})

test.for(engines)(
  'three first starts at once on $name make one API key',
  async ({ createTestDatabase }) => {
    const { url } = await createTestDatabase()
    const start = () => startServiceProcess({ DATABASE_URL: url })
    const processes = await Promise.all([start(), start(), start()])
    const ended = await Promise.all(processes.map(({ program }) => program.kill('SIGTERM')))
    expect(ended.filter(({ output }) => output.includes(apiKeyMarker))).toHaveLength(1)
    expect(await createKeysCommand(url).list()).toHaveLength(1)
  },
)
