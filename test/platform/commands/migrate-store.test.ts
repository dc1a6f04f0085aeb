import { expect, test } from 'vitest'
import { firstPetIn, manyNames, writeTable } from '../../api/bulk/files.ts'
import { engines } from '../../helpers/databases/engines.ts'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import { openAt, type TestDatabase } from '../../helpers/databases/test-database.ts'
import { createKeysCommand } from '../../helpers/keys-command.ts'
import { expectFailure, expectSuccess, runScript, startScript } from '../../helpers/npm-script.ts'
import type { Program } from '../../helpers/program.ts'
import { startTestService } from '../../helpers/service.ts'

const directions = engines.map((from, index) => ({ from, to: engines[1 - index] ?? from }))

const stopped = 'The database holds a copy that was stopped. Run migrate-store again.'

function startMigration(from: TestDatabase, to: TestDatabase): Program {
  return startScript(from, 'migrate-store', '--from', from.url, '--to', to.url)
}

/** The pets and the API keys of a store, with the use of each key, as the commands show them. */
async function contentOf(db: TestDatabase): Promise<string[]> {
  const commands = [runScript(db, 'export'), runScript(db, 'keys', 'list', '--json')]
  return Promise.all(commands.map(expectSuccess))
}

/** The calls of operations that a store has counted; PostgreSQL returns numbers as texts. */
async function callsOf(db: TestDatabase): Promise<string[]> {
  const columns = 'day, key_id, operation_id, requests'
  const rows = await db.execute(`SELECT ${columns} FROM operation_usage ORDER BY ${columns}`)
  return rows.map((row) => Object.values(row).join())
}

test.for(directions)(
  'migrate-store from $from.name to $to.name keeps ids, keys, cursors and idempotency keys, also if it was killed and run again',
  async ({ from, to }) => {
    const [source, target] = [await from.createTestDatabase(), await to.createTestDatabase()]
    const count = 20_000
    const file = writeTable(manyNames(count).map((name) => `"${name}, ""🦊"""`))
    await runScript(source, 'import', file)
    const old = await startTestService({}, source)
    const { key } = await old.issue({ name: 'kept' })
    const create = { key, json: { name: 'Rex', categoryId: -7 } }
    const once = { ...create, headers: { 'Idempotency-Key': "a 'quoted' key" } }
    expect(await (await old.send('/v1/pets', once)).json()).toMatchObject({ id: count + 1 })
    await old.send('/v1/pets', create)
    const link = (await old.send('/v1/pets?limit=2', { key })).headers.get('link')
    const [, next = ''] = /<(.*)>/.exec(link ?? '') ?? []
    await old.stop()
    await source.execute('DELETE FROM pets WHERE id = 7')
    const before = await contentOf(source)
    const calls = await callsOf(source)
    expect(calls).toHaveLength(2)

    await openAt(target)
    const killed = startMigration(source, target)
    await firstPetIn(target)
    expect(await killed.kill('SIGKILL')).toMatchObject({ signal: 'SIGKILL' })
    await expectFailure(runScript(target, 'export'), stopped)
    const copied = await expectSuccess(startMigration(source, target).ended)
    expect(copied).toMatch(/^pets: 20,001 rows\n.*^api_keys: 2 rows\n.*^The copy is complete\./ms)
    expect(await contentOf(target)).toEqual(before)
    expect(await callsOf(target)).toEqual(calls)
    const again = await expectSuccess(runScript(target, 'import', file))
    expect(again).toMatch(/ was imported already, /)

    const fresh = await startTestService({}, target)
    const replayed = await fresh.send('/v1/pets', once)
    expect(replayed.headers.get('idempotent-replayed')).toBe('true')
    expect(await replayed.json()).toMatchObject({ id: count + 1 })
    const page = await fresh.send(next, { key })
    expect(await page.json()).toMatchObject([{ id: 3 }, { id: 4 }])
    expect(await (await fresh.send('/v1/pets', create)).json()).toMatchObject({ id: count + 3 })
    // A key that is issued now is found too.
    const { key: late } = await createKeysCommand(target.url).make('issue', '--plan', 'free')
    expect((await fresh.send('/v1/pets', { key: late })).status).toBe(200)
  },
)

test('migrate-store from a store that loses a pet meanwhile ends with status 1, and no service starts on the target', async () => {
  const [source, target] = [await createSqliteDatabase(), await createSqliteDatabase()]
  await runScript(source, 'import', writeTable(manyNames(20_000)))
  await openAt(target)
  const migration = startMigration(source, target)
  await firstPetIn(target)
  await source.execute('DELETE FROM pets WHERE id = 1')
  const line =
    /^The source has changed: pets has 19999 rows, and 20000 were copied\. Stop the service on the source/
  await expectFailure(migration.ended, line)
  await expectFailure(runScript(target, 'export'), stopped)
})

test('migrate-store rejects a target that holds another pet or API key, and leaves it unchanged', async () => {
  const source = await createSqliteDatabase()
  await runScript(source, 'import', writeTable(['Rex']))
  const [pet, apiKey] = [await createSqliteDatabase(), await createSqliteDatabase()]
  await runScript(pet, 'import', writeTable(['Mia']))
  await pet.execute('DELETE FROM imports')
  await createKeysCommand(apiKey.url).make('issue', '--plan', 'free')
  for (const target of [pet, apiKey]) {
    const before = await contentOf(target)
    const line = 'The target holds other data, or a complete copy. Name an empty store.'
    await expectFailure(startMigration(source, target).ended, line)
    expect(await contentOf(target)).toEqual(before)
  }
})
