import { DatabaseSync } from 'node:sqlite'
import { expect, test, vi } from 'vitest'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import { openAt } from '../../helpers/databases/test-database.ts'
import { startFixtureService } from '../../helpers/fixture-service.ts'
import { expectInFlight } from '../ops/support/metrics.ts'
import { createTool, saw } from './support/tools.ts'

test('SQLite writes ahead, and syncs every commit', async () => {
  const { database } = await openAt(await createSqliteDatabase(), fixtureApi)
  expect(await database.read('PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }])
  expect(await database.read('PRAGMA synchronous')).toEqual([{ synchronous: 2 }])
})

test('writes that come together share a commit, and one that fails takes none of the others back', async () => {
  const db = await createSqliteDatabase()
  const service = await startFixtureService({ OPS_PORT: '0', OVERLOAD_WAIT_MS: '60000' }, db)
  await db.execute(`CREATE TRIGGER no_axe BEFORE INSERT ON tools
    WHEN NEW.document ->> 'name' = 'Axe' BEGIN SELECT RAISE(ABORT, 'no'); END`)
  const execute = vi.spyOn(DatabaseSync.prototype, 'exec')
  const release = await db.blockWriters('tools')
  const names = ['Axe', ...Array.from({ length: 19 }, () => 'Ryoba')]
  const created = Promise.allSettled(names.map((name) => createTool(service, { ...saw, name })))
  await expectInFlight(service, names.length)
  await release()
  const statuses = (await created).map(({ status }) => status)
  expect(statuses).toEqual(['rejected', ...Array(19).fill('fulfilled')])
  const commits = execute.mock.calls.filter(([sql]) => sql === 'COMMIT')
  expect(await db.execute('SELECT count(*) AS count FROM tools')).toEqual([{ count: 19 }])
  expect(commits.length).toBeGreaterThan(0)
  expect(commits.length).toBeLessThan(15)
})
