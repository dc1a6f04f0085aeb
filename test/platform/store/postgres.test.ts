import { beforeEach, expect, test } from 'vitest'
import { startFixtureService } from '../../helpers/fixture-service.ts'
import { createPostgresPlace } from '../../helpers/places/postgres-place.ts'
import { connect, query, whyNoPostgres } from '../../helpers/places/postgres-server.ts'
import { create } from './support/tools.ts'

beforeEach(({ skip }) => skip(whyNoPostgres !== undefined, whyNoPostgres))

test('a create with an idempotency key that another instance is using is 409', async () => {
  const place = await createPostgresPlace()
  const service = await startFixtureService({}, place)
  const { id, key: apiKey } = await service.issue()
  const other = { ...service, apiKey }
  const instance = await connect(place.url)
  await instance.query('BEGIN')
  const row = "INSERT INTO tool_keys VALUES ($1, 'once', '', 1, 4000000000000)"
  await instance.query(row, [id])
  expect((await create(other, 'once')).status).toBe(409)
  await instance.end()
  expect((await create(other, 'once')).status).toBe(201)
})

test("another program's tables are rejected, and left as they are", async () => {
  const place = await createPostgresPlace()
  await query(place.url, 'CREATE TABLE tools (notes text)')
  await expect(startFixtureService({}, place)).rejects.toMatchObject({
    name: 'StoreError',
    message: expect.stringContaining('relation "tools" already exists'),
  })
  const sql = 'SELECT tablename FROM pg_tables WHERE schemaname = current_schema()'
  expect(await query(place.url, sql)).toEqual([{ tablename: 'tools' }])
})
