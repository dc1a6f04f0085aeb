import { expect, test } from 'vitest'
import { engines } from '../../helpers/databases/engines.ts'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import { openAt, type TestDatabase } from '../../helpers/databases/test-database.ts'
import { createKeysCommand } from '../../helpers/keys-command.ts'
import { expectFailure } from '../../helpers/npm-script.ts'
import { startTestService } from '../../helpers/service.ts'
import {
  firstPetIn,
  manyNames,
  migrateStore,
  runExport,
  runImport,
  startMigration,
  writeTable,
} from './files.ts'

const directions = engines.map((from, index) => ({ from, to: engines[1 - index] ?? from }))

const stopped = 'The database holds a copy that was stopped. Run migrate-store again.'

/** The pets and the API keys of a store, with the use of each key, as the commands show them. */
async function contentOf(db: TestDatabase): Promise<string[]> {
  const shown = await Promise.all([runExport(db), createKeysCommand(db.url).run('list', '--json')])
  for (const ended of shown) expect(ended).toMatchObject({ status: 0, errorOutput: '' })
  return shown.map(({ output }) => output)
}

test.for(directions)(
  'migrate-store from $from.name to $to.name keeps ids, keys, cursors and idempotency keys, also if it was killed and run again',
  async ({ from, to }) => {
    const [source, target] = [await from.createTestDatabase(), await to.createTestDatabase()]
    const count = 20_000
    const file = writeTable(manyNames(count).map((name) => `"${name}, ""🦊"""`))
    await runImport(source, file)
    const old = await startTestService({}, source)
    const { key } = await old.issue({ name: 'kept' })
    const create = { key, json: { name: 'Rex', categoryId: -7 } }
    const once = { ...create, headers: { 'Idempotency-Key': "a 'quoted' key" } }
    expect(await (await old.send('/v1/pets', once)).json()).toMatchObject({ id: count + 1 })
    await old.send('/v1/pets', create)
    const link = (await old.send('/v1/pets?limit=2', { key })).headers.get('link')
    const [, next = ''] = /<(.*)>/.exec(link ?? '') ?? []
    await old.stop()
    await source.execute('DELETE FROM animals WHERE id = 7')
    const before = await contentOf(source)

    await openAt(target)
    const killed = startMigration(source, target)
    await firstPetIn(target)
    expect(await killed.kill('SIGKILL')).toMatchObject({ signal: 'SIGKILL' })
    await expectFailure(runExport(target), stopped)
    const ended = await migrateStore(source, target)
    expect(ended).toMatchObject({ status: 0, errorOutput: '' })
    expect(ended.output).toMatch(
      /^animals: 20,001 rows\n.*^api_keys: 2 rows\n.*^The copy is complete\./ms,
    )
    expect(await contentOf(target)).toEqual(before)
    expect((await runImport(target, file)).output).toMatch(/ was imported already, /)

    const fresh = await startTestService({}, target)
    const again = await fresh.send('/v1/pets', once)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await again.json()).toMatchObject({ id: count + 1 })
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
  await runImport(source, writeTable(manyNames(20_000)))
  await openAt(target)
  const migration = startMigration(source, target)
  await firstPetIn(target)
  await source.execute('DELETE FROM animals WHERE id = 1')
  const line =
    /^The source has changed: animals has 19999 rows, and 20000 were copied\. Stop the service on the source/
  await expectFailure(migration.ended, line)
  await expectFailure(runExport(target), stopped)
})

test.for(engines)(
  'migrate-store rejects a target in $name that holds another pet or API key, and leaves it unchanged',
  async ({ createTestDatabase }) => {
    const source = await createSqliteDatabase()
    await runImport(source, writeTable(['Rex']))
    const [animal, apiKey] = [await createTestDatabase(), await createTestDatabase()]
    await runImport(animal, writeTable(['Mia']))
    await animal.execute('DELETE FROM imports')
    await createKeysCommand(apiKey.url).make('issue', '--plan', 'free')
    for (const target of [animal, apiKey]) {
      const before = await contentOf(target)
      const line = 'The target holds other data, or a complete copy. Name an empty store.'
      await expectFailure(migrateStore(source, target), line)
      expect(await contentOf(target)).toEqual(before)
    }
  },
)

test('migrate-store without a source or without a server is one line without a password', async () => {
  const to = await createSqliteDatabase()
  for (const [url, line] of [
    ['sqlite:/tmp/none.sqlite', /^There is no database \/tmp\/none\.sqlite to copy\. /],
    [
      'postgres://me:s3cret@127.0.0.1:1/x',
      /^Cannot open PostgreSQL at 127\.0\.0\.1:1, (?!.*s3cret)/,
    ],
  ] as const) {
    await expectFailure(migrateStore({ url }, to), line)
  }
})
