import { DatabaseSync } from 'node:sqlite'
import { expect, test, vi } from 'vitest'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import { startTestService } from '../../helpers/service.ts'

/** Lets a statement of every write fail as on a full disk; returns a function that ends that. */
function fillDisk(statement: string, isRolledBack: boolean): () => void {
  const { exec } = DatabaseSync.prototype
  const spy = vi.spyOn(DatabaseSync.prototype, 'exec')
  spy.mockImplementation(function (this: DatabaseSync, sql) {
    if (sql !== statement) return exec.call(this, sql)
    if (isRolledBack) exec.call(this, 'ROLLBACK')
    throw Object.assign(new Error('database or disk is full'), { errcode: 13 })
  })
  return () => spy.mockRestore()
}

// SQLite writes most pages at the commit. If it has to write some before, it ends the transaction.
test.for([
  ['COMMIT', false],
  ['RELEASE write', true],
] as const)(
  'SQLite on a disk that is full at %s rejects writes alone with 503, is logged once, and recovers',
  async ([statement, isRolledBack]) => {
    const db = await createSqliteDatabase()
    const service = await startTestService({ RATE_LIMITS: 'off' }, db)
    const statusOf = async (path: string) => (await service.send(path)).status
    const add = () => service.send('/v1/pets', { json: { name: 'Rex', categoryId: 7 } })
    expect((await add()).status).toBe(201)

    const end = fillDisk(statement, isRolledBack)
    const tries = [1, 2, 3, 4, 5].map(add)
    for (const path of ['/livez', '/v1/pets', '/v1/pets/1']) {
      expect(await statusOf(path), path).toBe(200)
    }
    for (const response of await Promise.all(tries)) {
      expect(response.status).toBe(503)
      expect(response.headers.get('Retry-After')).toBe('1')
      expect(await response.json()).toMatchObject({ code: 'unavailable', status: 503 })
    }
    expect(await statusOf('/readyz')).toBe(503)
    const msg = expect.stringMatching(/^store unavailable: .* the disk is full\. Free disk space/)
    expect(service.logged).toMatchObject([{ level: 'error', msg }])

    end()
    expect(await statusOf('/readyz')).toBe(200)
    expect((await add()).status).toBe(201)
    expect(service.logged).toHaveLength(1)
    expect(await db.execute('SELECT id FROM animals')).toEqual([{ id: 1 }, { id: 2 }])
  },
)
