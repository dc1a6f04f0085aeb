import { DatabaseSync } from 'node:sqlite'
import { expect, test, vi } from 'vitest'
import { metricPrefix } from '../../../server/names.ts'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import { startFixtureService } from '../../helpers/fixture-service.ts'
import { readMetrics } from '../ops/support/metrics.ts'
import { createTool, saw } from './support/tools.ts'

/** A service with the connection that it has to its file: some settings are not those of the file. */
async function start() {
  const db = await createSqliteDatabase()
  const environment = { OPS_PORT: '0', OVERLOAD_WAIT_MS: '60000' }
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare')
  const service = await startFixtureService(environment, db)
  const connection: DatabaseSync = Object(prepare.mock.contexts.at(-1))
  return { service, db, ask: (sql: string) => connection.prepare(sql).all() }
}

test('SQLite writes ahead, and syncs every commit', async () => {
  const { ask } = await start()
  expect(ask('PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }])
  expect(ask('PRAGMA synchronous')).toEqual([{ synchronous: 2 }])
  expect(ask('PRAGMA foreign_keys')).toEqual([{ foreign_keys: 1 }])
})

test('writes that come together share a commit, and one that fails takes none of the others back', async () => {
  const { service, db, ask } = await start()
  ask(`CREATE TRIGGER no_axe BEFORE INSERT ON tools WHEN NEW.document ->> 'name' = 'Axe'
    BEGIN SELECT RAISE(ABORT, 'no'); END`)
  const execute = vi.spyOn(DatabaseSync.prototype, 'exec')
  const release = await db.blockWriters('tools')
  const names = Array.from({ length: 20 }, (_, at) => (at === 10 ? 'Axe' : 'Ryoba'))
  const created = Promise.allSettled(names.map((name) => createTool(service, { ...saw, name })))
  const inFlight = async () =>
    (await readMetrics(service)).get(`${metricPrefix}_requests_in_flight`)
  await expect.poll(inFlight).toBeGreaterThanOrEqual(10)
  await release()
  const failed = (await created).flatMap((one, at) => (one.status === 'rejected' ? [at] : []))
  expect(failed).toEqual([10])
  const commits = execute.mock.calls.filter(([sql]) => sql === 'COMMIT')
  expect(ask('SELECT count(*) AS count FROM tools')).toEqual([{ count: 19 }])
  expect(commits.length).toBeGreaterThan(0)
  expect(commits.length).toBeLessThan(15)
})
