import type { DatabaseSync } from 'node:sqlite'
import { expect, test, vi } from 'vitest'
import { createSqlitePlace } from '../../helpers/places/sqlite-place.ts'
import { startTestService } from '../../helpers/service.ts'
import { readMetrics } from '../ops/support/metrics.ts'
import { watchStatements } from './statements.ts'

const rex = { name: 'Rex', categoryId: 7 }

/** A service with the connection that it has to its file: some settings are not those of the file. */
async function start() {
  const prepared: string[] = []
  let connection: DatabaseSync | undefined
  const watch = (sql: string, on: DatabaseSync): void => {
    prepared.push(sql)
    connection = on
  }
  const place = await createSqlitePlace()
  const environment = { OPS_PORT: '0', OVERLOAD_WAIT_MS: '60000' }
  const service = await watchStatements(watch, () => startTestService(environment, place))
  return { service, place, prepared, ask: (sql: string) => connection?.prepare(sql).all() ?? [] }
}

test('SQLite writes ahead, and syncs every commit', async () => {
  const { ask } = await start()
  expect(ask('PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }])
  expect(ask('PRAGMA synchronous')).toEqual([{ synchronous: 2 }])
  expect(ask('PRAGMA foreign_keys')).toEqual([{ foreign_keys: 1 }])
})

test('writes that come together share a commit, and one that fails takes none of the others back', async () => {
  const { service, place, ask } = await start()
  const { client } = service
  ask(`CREATE TRIGGER no_cat BEFORE INSERT ON animals WHEN NEW.name = 'Cat'
    BEGIN SELECT RAISE(ABORT, 'no'); END`)
  const commits: string[] = []
  await watchStatements(
    (sql) => void (sql === 'COMMIT' && commits.push(sql)),
    async () => {
      const release = await place.blockWriters('animals')
      const names = Array.from({ length: 20 }, (_, at) => (at === 10 ? 'Cat' : 'Rex'))
      const created = Promise.allSettled(names.map((name) => client.createPet({ ...rex, name })))
      const inFlight = async () =>
        (await readMetrics(service)).get('animal_store_requests_in_flight')
      await vi.waitUntil(async () => Number(await inFlight()) >= 10, { timeout: 60_000 })
      await release()
      const failed = (await created).flatMap((one, at) => (one.status === 'rejected' ? [at] : []))
      expect(failed).toEqual([10])
    },
  )
  expect(ask('SELECT count(*) AS count FROM animals')).toEqual([{ count: 19 }])
  expect(commits.length).toBeGreaterThan(0)
  expect(commits.length).toBeLessThan(15)
})

// Node's SQLite has no counter of the rows that a statement reads. The plan says as much: it names
// every condition of the page as a bound of the search, so nothing that is read is left out, and
// without a sort the limit ends the reading.
test('SQLite finds a page of 100,000 pets through an index and never sorts, with statistics and without', async () => {
  const { service, ask, prepared } = await start()
  ask(`WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 100000)
    INSERT INTO animals (name, category_id, status) SELECT 'pet ' || n, n,
    CASE WHEN n % 1000 = 0 THEN 'pending' WHEN n % 2 = 0 THEN 'available' END FROM s`)
  await watchStatements(
    (sql) => prepared.push(sql),
    async () => {
      await service.client.listPets()
      await service.client.listPets({ status: 'pending' })
    },
  )
  const statements = prepared.filter((sql) => /FROM animals WHERE .* ORDER BY/.test(sql))
  expect(statements).toHaveLength(2)
  for (const statistics of ['without', 'with']) {
    if (statistics === 'with') ask('ANALYZE')
    const plans = statements.map((sql) => JSON.stringify(ask(`EXPLAIN QUERY PLAN ${sql}`)))
    const where = `${statistics} statistics`
    expect(plans[0], where).toContain('SEARCH animals USING INTEGER PRIMARY KEY (rowid>?)')
    expect(plans[1], where).toContain('USING INDEX animals_by_status (status=? AND id>?)')
    for (const plan of plans) expect(plan, where).not.toMatch(/SCAN|TEMP B-TREE/)
    const pending = await service.client.listPets({ status: 'pending', limit: 2 })
    expect(pending.map(({ id }) => id)).toEqual([1_000, 2_000])
    expect(await service.client.listPets({ status: 'sold' })).toEqual([])
  }
})
