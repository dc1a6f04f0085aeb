import { DatabaseSync } from 'node:sqlite'
import { expect, test, vi } from 'vitest'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import { openAt } from '../../helpers/databases/test-database.ts'
import { startFixtureService, tools } from '../../helpers/fixture-service.ts'
import { expectMetric } from '../../helpers/metrics.ts'
import { create, createTool, listIds, saw } from './support/tools.ts'

test('SQLite writes ahead, and syncs every commit', async () => {
  const { database } = await openAt(await createSqliteDatabase(), fixtureApi)
  expect(await database.read('PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }])
  expect(await database.read('PRAGMA synchronous')).toEqual([{ synchronous: 2 }])
})

test('a service starts while another process writes to its store', async () => {
  const db = await createSqliteDatabase()
  await openAt(db, fixtureApi)
  const release = await db.blockWriters('tools')
  const { database } = await openAt(db, fixtureApi)
  expect(await database.read('SELECT id FROM tools')).toEqual([])
  await release()
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
  await expectMetric(service, 'requests_in_flight', names.length)
  await release()
  const statuses = (await created).map(({ status }) => status)
  expect(statuses).toEqual(['rejected', ...Array(19).fill('fulfilled')])
  const commits = execute.mock.calls.filter(([sql]) => sql === 'COMMIT')
  expect(await db.execute('SELECT count(*) AS count FROM tools')).toEqual([{ count: 19 }])
  expect(commits.length).toBeGreaterThan(0)
  expect(commits.length).toBeLessThan(15)
})

// SQLite writes most pages at the commit. If it has to write some before, it ends the transaction.
test.for([
  ['COMMIT', ''],
  ['RELEASE write', 'ROLLBACK'],
] as const)(
  'SQLite on a disk that is full at %s rejects writes alone with 503, is logged once, and recovers',
  async ([failing, before]) => {
    const service = await startFixtureService({}, await createSqliteDatabase())
    const { send, logged } = service
    expect(await createTool(service)).toBe(1)

    const { exec } = DatabaseSync.prototype
    const disk = vi.spyOn(DatabaseSync.prototype, 'exec')
    disk.mockImplementation(function (this: DatabaseSync, sql) {
      if (sql !== failing) {
        return exec.call(this, sql)
      }
      exec.call(this, before)
      throw Object.assign(new Error('database or disk is full'), { errcode: 13 })
    })
    const tries = Array.from({ length: 5 }, () => send(tools, { json: saw }))
    expect((await send('/livez')).status).toBe(200)
    expect(await listIds(service)).toEqual([1])
    for (const response of await Promise.all(tries)) {
      expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '1'])
      expect(await response.json()).toMatchObject({ code: 'unavailable', status: 503 })
    }
    expect((await send('/readyz')).status).toBe(503)
    const msg = expect.stringMatching(/^store unavailable: .* the disk is full\. Free disk space/)
    expect(logged).toMatchObject([{ level: 'error', msg }])

    disk.mockRestore()
    expect((await send('/readyz')).status).toBe(200)
    expect((await create(service, 'k')).body.id).toBe(2)
    expect(await listIds(service)).toEqual([1, 2])
    expect(logged).toHaveLength(1)
  },
)

test('SQLite on a disk that fails at the commit, and also when it is undone, rejects writes with 503, and recovers', async () => {
  const service = await startFixtureService({}, await createSqliteDatabase())
  const { exec } = DatabaseSync.prototype
  const disk = vi.spyOn(DatabaseSync.prototype, 'exec')
  disk.mockImplementation(function (this: DatabaseSync, sql) {
    if (sql === 'COMMIT' || sql === 'ROLLBACK') {
      throw Object.assign(new Error('disk I/O error'), { errcode: 10 })
    }
    return exec.call(this, sql)
  })
  for (const key of ['first', 'second']) {
    expect(await create(service, key), key).toMatchObject({ status: 503 })
  }

  disk.mockRestore()
  expect(await create(service, 'third')).toMatchObject({ status: 201, body: { id: 1 } })
  expect(await listIds(service)).toEqual([1])
})
