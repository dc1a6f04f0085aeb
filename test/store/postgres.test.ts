import { Client } from 'pg'
import { beforeEach, expect, test } from 'vitest'
import type { PageQuery } from '../../server/store/animal-store.ts'
import type { Store } from '../../server/store/store.ts'
import { openAt } from '../support/places/place.ts'
import { createPostgresPlace } from '../support/places/postgres-place.ts'
import { connect, query, whyNoPostgres } from '../support/places/postgres-server.ts'

beforeEach(({ skip }) => skip(whyNoPostgres !== undefined, whyNoPostgres))

interface Asked {
  readonly text: string
  readonly values: unknown[]
}

/** The last statement that a store sends while some work is done. */
async function lastAsked(work: () => Promise<unknown>): Promise<Asked> {
  const asked: Asked[] = []
  const send = Client.prototype.query
  Client.prototype.query = function (this: Client, ...args: unknown[]) {
    const [config] = args
    if (typeof config === 'object' && config !== null && 'text' in config && 'values' in config) {
      asked.push({ text: String(config.text), values: Object.values(Object(config.values)) })
    }
    return Reflect.apply(send, this, args)
  }
  try {
    await work()
  } finally {
    Client.prototype.query = send
  }
  return asked.at(-1) ?? { text: '', values: [] }
}

/** A store with many animals, one in a thousand of which is pending and none of which is sold. */
async function fill(count: number): Promise<{ store: Store; url: string }> {
  const { url } = await createPostgresPlace()
  const store = await openAt({ url })
  await query(
    url,
    `INSERT INTO animals (name, category_id, status)
     SELECT 'animal ' || n, n, CASE WHEN n % 1000 = 0 THEN 'pending' WHEN n % 2 = 0 THEN 'available' END
     FROM generate_series(1, $1::int) AS n`,
    [count],
  )
  return { store, url }
}

const pages: readonly (readonly [page: string, index: string, query: PageQuery])[] = [
  ['the first page', 'animals_pkey', { after: 0, limit: 21, status: undefined }],
  ['a deep page', 'animals_pkey', { after: 900_000, limit: 21, status: undefined }],
  ['the end', 'animals_pkey', { after: 1_000_000, limit: 21, status: undefined }],
  ['a common status', 'animals_by_status', { after: 0, limit: 21, status: 'available' }],
  [
    'a common status, deep',
    'animals_by_status',
    { after: 900_000, limit: 21, status: 'available' },
  ],
  ['a rare status, deep', 'animals_by_status', { after: 900_000, limit: 21, status: 'pending' }],
  ['a status of nobody', 'animals_by_status', { after: 500_000, limit: 21, status: 'sold' }],
]

test('a page of a million animals reads the rows that it shows and no others, through an index, whatever the planner knows', async () => {
  const { store, url } = await fill(1_000_000)
  const client = await connect(url)
  for (const knows of ['nothing', 'everything']) {
    if (knows === 'everything') await client.query('ANALYZE animals')
    for (const [page, index, asked] of pages) {
      const { text, values } = await lastAsked(() => store.animals.page(asked))
      const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values)
      const [{ Plan: limit }] = rows[0]['QUERY PLAN']
      const scan = limit.Plans[0]
      const where = `${page}, when the planner knows ${knows}`
      expect([limit['Node Type'], scan['Node Type']], where).toEqual(['Limit', 'Index Scan'])
      expect(scan['Index Name'], where).toBe(index)
      expect(scan['Actual Rows'], where).toBe((await store.animals.page(asked)).length)
      expect(scan['Rows Removed by Filter'] ?? 0, where).toBe(0)
    }
  }
  await client.end()
})

test('keys that are past their time are forgotten, and those that live are not', async () => {
  const { url } = await createPostgresPlace()
  const store = await openAt({ url })
  await query(
    url,
    `INSERT INTO idempotency_keys SELECT 'key_x', n::text, '', 1, CASE WHEN n <= 500 THEN 1 ELSE $1::bigint END
     FROM generate_series(1, 600) AS n`,
    [Date.now() + 60_000],
  )
  const once = { callerId: 'key_a', key: 'k', fingerprint: 'f', expiresAt: Date.now() + 60_000 }
  await store.animals.add({ name: 'Cat', categoryId: 1 }, once)
  // Nobody waits for it, and what is over is never found again meanwhile.
  const count = 'SELECT count(*)::int AS count FROM idempotency_keys'
  await expect.poll(() => query(url, count)).toEqual([{ count: 101 }])
})

test('a store that a newer version made is refused, until the name of its step is taken away', async () => {
  const { url } = await createPostgresPlace()
  await (await openAt({ url })).close()
  await query(url, `INSERT INTO kysely_migration VALUES ('9999_newer', '2030-01-01T00:00:00.000Z')`)
  await expect(openAt({ url })).rejects.toMatchObject({
    name: 'StoreRefused',
    message: expect.stringContaining('newer version'),
  })
  // The way back that `deploy/README.md` tells.
  await query(url, `DELETE FROM kysely_migration WHERE name > '0003_imports'`)
  expect(await (await openAt({ url })).animals.lastId()).toBe(0)
})

test("another program's tables stay as they are", async () => {
  const { url } = await createPostgresPlace()
  await query(url, 'CREATE TABLE animals (notes text)')
  await expect(openAt({ url })).rejects.toMatchObject({
    name: 'StoreRefused',
    message: expect.stringContaining('relation "animals" already exists'),
  })
  const tables = await query(
    url,
    'SELECT tablename FROM pg_tables WHERE schemaname = current_schema()',
  )
  expect(tables).toEqual([{ tablename: 'animals' }])
})
