import { expect, test } from 'vitest'
import { engines } from '../../helpers/databases/engines.ts'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import { openAt, type TestDatabase } from '../../helpers/databases/test-database.ts'
import { startFixtureService, tools } from '../../helpers/fixture-service.ts'
import { createKeysCommand } from '../../helpers/keys-command.ts'
import { expectFailure, expectSuccess, runScript, startScript } from '../../helpers/npm-script.ts'
import { type Program, startProgram } from '../../helpers/program.ts'
import { fillTools, storedTools, waitForTool } from '../../helpers/tools.ts'

const directions = engines.map((from, index) => ({ from, to: engines[1 - index] ?? from }))

const stopped = 'The database holds a copy that was stopped. Run migrate-store again.'

function startMigration(from: TestDatabase, to: TestDatabase): Program {
  return startScript(from, 'migrate-store', '--from', from.url, '--to', to.url)
}

/** Expects that neither a service nor a command opens a store. */
async function expectStopped({ url }: TestDatabase): Promise<void> {
  await expectFailure(runScript({ url }, 'keys', 'list'), stopped)
  const env = { PORT: '0', LOG_LEVEL: 'silent', DATABASE_URL: url }
  await expectFailure(startProgram('server/main.ts', [], { env }).ended, stopped)
}

/** The tools and the API keys of a store, with the use of each key. */
async function contentOf(db: TestDatabase) {
  const keys = await expectSuccess(runScript(db, 'keys', 'list', '--json'))
  return { tools: await storedTools(db), keys: JSON.parse(keys) }
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
    const old = await startFixtureService({}, source)
    await fillTools(source, count, "'tool ' || n || ', ''🦊'''")
    const { key } = await old.issue({ name: 'kept' })
    const create = { key, json: { kind: 'saw', name: 'Ryoba', weight: 1.5 } }
    const once = { ...create, headers: { 'Idempotency-Key': "a 'quoted' key" } }
    expect(await (await old.send(tools, once)).json()).toMatchObject({ id: count + 1 })
    await old.send(tools, create)
    const link = (await old.send(`${tools}?limit=2`, { key })).headers.get('link')
    const [, next = ''] = /<(.*)>/.exec(link ?? '') ?? []
    await old.stop()
    await source.execute('DELETE FROM tools WHERE id = 7')
    const before = await contentOf(source)
    const calls = await callsOf(source)
    expect(calls).toHaveLength(2)

    await openAt(target)
    const killed = startMigration(source, target)
    await waitForTool(target)
    expect(await killed.kill('SIGKILL')).toMatchObject({ signal: 'SIGKILL' })
    await expectStopped(target)
    const copied = await expectSuccess(startMigration(source, target).ended)
    expect(copied).toMatch(/^tools: 20,001 rows\n.*^api_keys: 2 rows\n.*^The copy is complete\./ms)
    expect(await contentOf(target)).toEqual(before)
    expect(await callsOf(target)).toEqual(calls)

    const fresh = await startFixtureService({}, target)
    const replayed = await fresh.send(tools, once)
    expect(replayed.headers.get('idempotent-replayed')).toBe('true')
    expect(await replayed.json()).toMatchObject({ id: count + 1 })
    const page = await fresh.send(next, { key })
    expect(await page.json()).toMatchObject([{ id: 3 }, { id: 4 }])
    expect(await (await fresh.send(tools, create)).json()).toMatchObject({ id: count + 3 })
    // A key that is issued now is found too.
    const { key: late } = await createKeysCommand(target.url).make('issue', '--plan', 'hobby')
    expect((await fresh.send(tools, { key: late })).status).toBe(200)
  },
)

test('migrate-store from a store that loses a row meanwhile ends with status 1, and no service starts on the target', async () => {
  const [source, target] = [await createSqliteDatabase(), await createSqliteDatabase()]
  await openAt(source)
  await fillTools(source, 20_000)
  await openAt(target)
  const migration = startMigration(source, target)
  await waitForTool(target)
  await source.execute('DELETE FROM tools WHERE id = 1')
  const line =
    /^The source has changed: tools has 19999 rows, and 20000 were copied\. Stop the service on the source/
  await expectFailure(migration.ended, line)
  await expectStopped(target)
})

test('migrate-store rejects a target that holds another row or API key, and leaves it unchanged', async () => {
  const source = await createSqliteDatabase()
  const [row, apiKey] = [await createSqliteDatabase(), await createSqliteDatabase()]
  for (const db of [source, row, apiKey]) {
    await openAt(db)
  }
  await fillTools(source, 1)
  await fillTools(row, 1, "'another'")
  await createKeysCommand(apiKey.url).make('issue', '--plan', 'hobby')
  for (const target of [row, apiKey]) {
    const before = await contentOf(target)
    const line = 'The target holds other data, or a complete copy. Name an empty store.'
    await expectFailure(startMigration(source, target).ended, line)
    expect(await contentOf(target)).toEqual(before)
  }
})
