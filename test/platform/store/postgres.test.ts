import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { connect, createPostgresDatabase } from '../../helpers/databases/postgres-database.ts'
import { repeatOnPostgres } from '../../helpers/databases/repeat-on-postgres.ts'
import { startFixtureService, startFixtureWith, tools } from '../../helpers/fixture-service.ts'
import { create } from './support/tools.ts'

const files = ['store.test.ts', 'usage.test.ts']
repeatOnPostgres(files.map((name) => join(import.meta.dirname, name)))

test('a create with an idempotency key that another instance is using is 409', async () => {
  const service = await startFixtureService()
  const instance = await connect(service.db.url)
  const row = "SELECT id, 'once', '', 1, 4000000000000 FROM api_keys"
  await instance.query(`BEGIN; INSERT INTO idempotency_keys ${row}`)
  expect((await create(service, 'once')).status).toBe(409)
  await instance.end()
  expect((await create(service, 'once')).status).toBe(201)
})

test.for([
  [1, 1],
  [3, 1],
  [3, 3],
] as const)(
  'API keys that are issued after a failover lost the last %i are accepted, %i at a time, and the lost ones are not',
  async ([count, together]) => {
    const { send, issue, apiKey, db } = await startFixtureService({ RATE_LIMITS: 'off' })
    const statusOf = async (key: string) => (await send(tools, { key })).status
    const lost: string[] = []
    for (let issued = 0; issued < count; issued++) {
      lost.push((await issue()).key)
    }
    for (const key of lost) {
      expect(await statusOf(key)).toBe(200)
    }
    await db.execute(
      "DELETE FROM api_keys WHERE position > 1; UPDATE positions SET last = 1 WHERE name = 'api_keys'",
    )
    // The first one gets the position of a lost key.
    for (let round = 0; round < 2; round++) {
      const added: string[] = []
      for (let issued = 0; issued < together; issued++) {
        added.push((await issue()).key)
      }
      for (const key of added) {
        expect(await statusOf(key)).toBe(200)
      }
    }
    for (const key of lost) {
      await expect.poll(() => statusOf(key), { timeout: 10_000 }).toBe(401)
    }
    expect(await statusOf(apiKey)).toBe(200)
  },
)

test('a statement with a wrong number of values is a 500, and no lost connection', async () => {
  const service = await startFixtureWith({
    handlers: {
      async getOpeningHours() {
        await service.store.database.read('SELECT $1::text', 'a', 'b')
        return { status: 200, body: {} }
      },
    },
  })
  const { send, logged } = service
  expect((await send('/lending/v2/opening-hours')).status).toBe(500)
  expect(logged).toMatchObject([{ msg: 'request failed', err: { code: '08P01' } }])
  expect((await send(tools)).status).toBe(200)
})

test("another program's tables are rejected without another try, and left as they are", async () => {
  // A pause before another try would not end.
  vi.spyOn(Math, 'random').mockReturnValue(1e6)
  const db = await createPostgresDatabase()
  await db.execute('CREATE TABLE tools (notes text)')
  await expect(startFixtureService({}, db)).rejects.toMatchObject({
    name: 'StoreError',
    message: expect.stringContaining('relation "tools" already exists'),
  })
  const sql = 'SELECT tablename FROM pg_tables WHERE schemaname = current_schema()'
  expect(await db.execute(sql)).toEqual([{ tablename: 'tools' }])
})
