import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createKeysCommandAt } from '../../helpers/keys-command.ts'
import { engines } from '../../helpers/places/engines.ts'
import { openAt, type Place } from '../../helpers/places/place.ts'
import { createSqlitePlace } from '../../helpers/places/sqlite-place.ts'
import { startTestService } from '../../helpers/service.ts'
import {
  allNames,
  firstAnimalIn,
  manyNames,
  migrateStore,
  runExport,
  runImport,
  startMigration,
  writeTable,
} from './files.ts'

const directions = engines.flatMap((from) => engines.map((to) => ({ from, to })))
const acrossEngines = directions.filter(({ from, to }) => from !== to)

/** The animals and the API keys of a store, with the use of each key, as the commands show them. */
async function contentOf(place: Place): Promise<string[]> {
  const shown = await Promise.all([
    runExport(place),
    createKeysCommandAt(place.url).run('list', '--json'),
  ])
  for (const ended of shown) expect(ended).toMatchObject({ status: 0, complaint: '' })
  return shown.map(({ output }) => output)
}

test.for(directions)(
  'migrate-store from $from.name to $to.name keeps ids, keys, cursors and idempotency keys',
  async ({ from, to }) => {
    const [source, target] = [await from.createPlace(), await to.createPlace()]
    await runImport(source, writeTable(manyNames(2_100).map((name) => `"${name}, ""🦊"""`)))
    const old = await startTestService({}, source)
    const { key } = await old.issue({ name: 'kept' })
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const create = { method: 'POST', headers, body: '{"name":"Rex","categoryId":-7}' }
    const once = { ...create, headers: { ...headers, 'Idempotency-Key': "a 'quoted' key" } }
    expect(await (await old.send('/v1/pets', once)).json()).toMatchObject({ id: 2_101 })
    await old.send('/v1/pets', create)
    const link = (await old.send('/v1/pets?limit=2', { headers })).headers.get('link')
    const [, next = ''] = /<(.*)>/.exec(link ?? '') ?? []
    await old.stop()
    await source.deleteAnimal(7)
    const before = await contentOf(source)

    const ended = await migrateStore(source, target)
    expect(ended).toMatchObject({ status: 0, complaint: '' })
    expect(ended.output).toMatch(/^The copy is whole\. /m)
    const counts = [...ended.output.matchAll(/\brows ([\d,]+)/g)].map(([, count]) => count)
    // The animals, on both sides.
    expect(counts.filter((count) => count === '2,101')).toHaveLength(2)
    expect(await contentOf(target)).toEqual(before)

    const fresh = await startTestService({}, target)
    const again = await fresh.send('/v1/pets', once)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await again.json()).toMatchObject({ id: 2_101 })
    const page = await fresh.send(next, { headers })
    expect(await page.json()).toMatchObject([{ id: 3 }, { id: 4 }])
    expect(await (await fresh.send('/v1/pets', create)).json()).toMatchObject({ id: 2_103 })
    // A key that is issued now is found too.
    const issued = await createKeysCommandAt(target.url).make('issue', '--plan', 'free')
    const authorization = { Authorization: `Bearer ${issued.key}` }
    expect((await fresh.send('/v1/pets', { headers: authorization })).status).toBe(200)
  },
)

test.for(acrossEngines)(
  'a killed migrate-store from $from.name to $to.name continues when it is run again',
  async ({ from, to }) => {
    const [source, target] = [await from.createPlace(), await to.createPlace()]
    const names = manyNames(20_000)
    await runImport(source, writeTable(names))
    const copy = await openAt(target)
    const first = startMigration(source, target)
    await firstAnimalIn(copy)
    expect(await first.kill('SIGKILL')).toMatchObject({ signal: 'SIGKILL' })
    expect((await allNames(copy)).length).toBeLessThan(names.length)
    expect(await migrateStore(source, target)).toMatchObject({ status: 0 })
    expect(await contentOf(target)).toEqual(await contentOf(source))
  },
)

test.for(acrossEngines)(
  'migrate-store from $from.name in service to $to.name misses nothing that is older, and a second run misses nothing',
  async ({ from, to }) => {
    const [source, target] = [await from.createPlace(), await to.createPlace()]
    await runImport(source, writeTable(manyNames(5_000)))
    const { client, issue, store, stop } = await startTestService({}, source)
    const { id: keyId } = await issue()
    const added: number[] = []
    let isOver = false
    async function write(): Promise<void> {
      while (!isOver) added.push((await client.createPet({ name: 'Rex', categoryId: 1 })).id)
    }
    const writers = [write(), write(), write()]
    while (added.length < 10) await wait(1)
    const before = [...added]
    expect(await migrateStore(source, target)).toMatchObject({ status: 0 })
    const { output } = await runExport(target)
    const ids = new Set(output.match(/(?<=^\{"id":)\d+/gm)?.map(Number))
    expect(before.filter((id) => !ids.has(id))).toEqual([])
    isOver = true
    await Promise.all(writers)
    await store.keys.revoke(keyId, 1)
    await stop()
    expect(await migrateStore(source, target)).toMatchObject({ status: 0 })
    expect(await contentOf(target)).toEqual(await contentOf(source))
  },
)

const others = engines.flatMap(({ name, createPlace }) =>
  (['animal', 'API key'] as const).map((what) => ({ name, createPlace, what })),
)

test.for(others)(
  'migrate-store rejects a target in $name that holds another $what, and leaves it as it is',
  async ({ createPlace, what }) => {
    const [source, target] = [await createSqlitePlace(), await createPlace()]
    await runImport(source, writeTable(['Rex']))
    if (what === 'animal') await runImport(target, writeTable(['Mia']))
    else await createKeysCommandAt(target.url).make('issue', '--plan', 'free')
    const before = await contentOf(target)
    const complaint = 'The target holds other data. Name an empty store.\n'
    expect(await migrateStore(source, target)).toMatchObject({ status: 1, output: '', complaint })
    expect(await contentOf(target)).toEqual(before)
  },
)

test.for(engines)(
  'migrate-store rejects a copy in $name that was in service, and leaves it as it is',
  async ({ createPlace }) => {
    const [source, target] = [await createSqlitePlace(), await createPlace()]
    await runImport(source, writeTable(['Rex']))
    expect(await migrateStore(source, target)).toMatchObject({ status: 0 })
    await runImport(target, writeTable(['of the target']))
    await runImport(source, writeTable(['of the source']))
    const ended = await migrateStore(source, target)
    expect(ended).toMatchObject({ status: 1, output: '' })
    expect(ended.complaint).toMatch(/^The target holds other data than the source: .*\n$/)
    expect(await allNames(await openAt(target))).toEqual(['Rex', 'of the target'])
  },
)

test('migrate-store without a source or without a server is one line without a password', async () => {
  const { url } = await createSqlitePlace()
  for (const [from, complaint] of [
    ['sqlite:/tmp/none.sqlite', /^There is no database \/tmp\/none\.sqlite to copy\. /],
    [
      'postgres://me:s3cret@127.0.0.1:1/x',
      /^Cannot open PostgreSQL at 127\.0\.0\.1:1, database x: /,
    ],
  ] as const) {
    const ended = await migrateStore({ url: from }, { url })
    expect(ended).toMatchObject({ status: 1, output: '' })
    expect(ended.complaint).toMatch(complaint)
    expect(ended.complaint.trimEnd()).not.toMatch(/\n|s3cret/)
  }
})
