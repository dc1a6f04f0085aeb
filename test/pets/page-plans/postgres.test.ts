import { Client, type QueryConfig } from 'pg'
import { expect, test, vi } from 'vitest'
import { createPostgresDatabase } from '../../helpers/databases/postgres-database.ts'
import { connect, query } from '../../helpers/databases/postgres-server.ts'
import { startTestService, type TestService } from '../../helpers/service.ts'

type Query = NonNullable<Parameters<TestService['client']['listPets']>[0]>

/** Pages, from the id after which they begin; one in a thousand pets is pending, none is sold. */
const pages: readonly (readonly [page: string, after: number, query: Query, rows: number])[] = [
  ['the first page', 0, {}, 21],
  ['a deep page', 90_000, {}, 21],
  ['the end', 100_000, {}, 0],
  ['a common status', 0, { status: 'available' }, 21],
  ['a common status, deep', 90_000, { status: 'available' }, 21],
  ['a rare status, deep', 50_000, { status: 'pending' }, 21],
  ['a status of no pet', 50_000, { status: 'sold' }, 0],
]

test('PostgreSQL reads the rows of a page of 100,000 pets and no others, with statistics and without', async () => {
  const db = await createPostgresDatabase()
  const { client: store } = await startTestService({}, db)
  await query(
    db.url,
    `INSERT INTO animals (name, category_id, status)
     SELECT 'pet ' || n, n, CASE WHEN n % 1000 = 0 THEN 'pending' WHEN n % 2 = 0 THEN 'available' END
     FROM generate_series(1, 100000) AS n`,
  )
  const client = await connect(db.url)
  const send = vi.spyOn(Client.prototype, 'query')
  for (const statistics of ['without', 'with']) {
    if (statistics === 'with') await client.query('ANALYZE animals')
    for (const [page, after, asked, rows] of pages) {
      send.mockClear()
      await store.listPets({ limit: 20, ...asked })
      const sent = send.mock.calls.map(([statement]): QueryConfig => Object(statement))
      const statement = sent.findLast(({ text }) => /FROM animals WHERE/.test(text))
      // The first page begins after id 0: no other value of the statement is 0.
      const moved = statement?.values?.map((value) => (Number(value) === 0 ? after : value))
      const plan = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${statement?.text}`, moved)
      const [{ Plan: limit }] = plan.rows[0]['QUERY PLAN']
      const scan = limit.Plans[0]
      const where = `${page}, ${statistics} statistics`
      expect([limit['Node Type'], scan['Node Type']], where).toEqual(['Limit', 'Index Scan'])
      const index = asked.status === undefined ? 'animals_pkey' : 'animals_by_status'
      expect(scan['Index Name'], where).toBe(index)
      expect(scan['Actual Rows'], where).toBe(rows)
      expect(scan['Rows Removed by Filter'] ?? 0, where).toBe(0)
    }
  }
  await client.end()
})
