import { DatabaseSync } from 'node:sqlite'
import { expect, test, vi } from 'vitest'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import { startTestService } from '../../helpers/service.ts'

// Node's SQLite has no counter of the rows that a statement reads. The plan says as much: it names
// every condition of the page as a bound of the search, so nothing that is read is skipped, and
// without a sort the limit ends the reading.
test('SQLite finds a page of 100,000 pets through an index and never sorts, with statistics and without', async () => {
  const db = await createSqliteDatabase()
  const { client } = await startTestService({}, db)
  await db.execute(`WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 100000)
    INSERT INTO animals (name, category_id, status) SELECT 'pet ' || n, n,
    CASE WHEN n % 1000 = 0 THEN 'pending' WHEN n % 2 = 0 THEN 'available' END FROM s`)
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare')
  await client.listPets()
  await client.listPets({ status: 'pending' })
  const prepared = prepare.mock.calls.map(([sql]) => sql)
  const statements = prepared.filter((sql) => /FROM animals WHERE .* ORDER BY/.test(sql))
  expect(statements).toHaveLength(2)
  for (const statistics of ['without', 'with']) {
    if (statistics === 'with') await db.execute('ANALYZE')
    const explained = statements.map((sql) => db.execute(`EXPLAIN QUERY PLAN ${sql}`))
    const plans = (await Promise.all(explained)).map((rows) => JSON.stringify(rows))
    const where = `${statistics} statistics`
    expect(plans[0], where).toContain('SEARCH animals USING INTEGER PRIMARY KEY (rowid>?)')
    expect(plans[1], where).toContain('USING INDEX animals_by_status (status=? AND id>?)')
    for (const plan of plans) expect(plan, where).not.toMatch(/SCAN|TEMP B-TREE/)
    const pending = await client.listPets({ status: 'pending', limit: 2 })
    expect(pending.map(({ id }) => id)).toEqual([1_000, 2_000])
    expect(await client.listPets({ status: 'sold' })).toEqual([])
  }
})
