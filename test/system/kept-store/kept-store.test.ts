import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { engines } from '../../helpers/databases/engines.ts'
import { createPostgresDatabase } from '../../helpers/databases/postgres-database.ts'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import { openAt, type TestDatabase } from '../../helpers/databases/test-database.ts'
import { startTestService } from '../../helpers/service.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { runExport, runImport, writeInput } from '../bulk/files.ts'
import stores from './kept-store.json' with { type: 'json' }

function unpack(name: string): Buffer {
  return gunzipSync(readFileSync(new URL(`${name}.gz`, import.meta.url)))
}

async function openSqlite(): Promise<TestDatabase> {
  const folder = createTemporaryFolder()
  for (const name of ['store.sqlite', 'store.sqlite-wal']) {
    writeFileSync(join(folder, name), unpack(name))
  }
  return createSqliteDatabase(folder)
}

async function openPostgres(): Promise<TestDatabase> {
  const db = await createPostgresDatabase()
  const dump = unpack('postgres.sql').toString()
  // Lines with a backslash are commands to psql; the schema is the test's own.
  const sql = dump.replaceAll(/^\\.*$/gm, '').replaceAll(/\bpublic\./g, '')
  await db.execute(sql.replace(/^SELECT pg_catalog.set_config\('search_path'.*$/m, ''))
  return db
}

test.each([
  ['SQLite', openSqlite, stores.sqlite],
  ['PostgreSQL', openPostgres, stores.postgres],
] as const)('a store of version 1.0.0 on %s opens, and continues', async (_, open, kept) => {
  const { send } = await startTestService({}, await open())
  const { keys } = kept
  const { key } = keys.roomy
  const status = async (name: keyof typeof keys) =>
    (await send('/v1/pets', { key: keys[name].key })).status
  const statuses = Object.keys(keys).map(async (name) => [name, await status(name as 'roomy')])
  expect(Object.fromEntries(await Promise.all(statuses))).toEqual({
    roomy: 200,
    free: 200,
    pro: 200,
    overlapping: 200,
    successor: 200,
    overlapSuccessor: 200,
    expired: 401,
    revoked: 401,
    rotated: 401,
  })

  for (const { query: wanted, next, lastId } of kept.cursors) {
    const page = await (await send(`/v1${next}`, { key })).json()
    const longer = wanted.replace(/\d+/, '100')
    const pets: { id: number }[] = await (await send(`/v1/pets?${longer}`, { key })).json()
    const from = pets.findIndex(({ id }) => id === lastId) + 1
    expect(page, wanted).toEqual(pets.slice(from, from + Number.parseInt(wanted.slice(6), 10)))
  }

  for (const { key: idempotencyKey, caller, body, response } of kept.idempotent) {
    const headers = { 'Idempotency-Key': idempotencyKey }
    const sender = keys[caller as 'roomy'].key
    const replayed = await send('/v1/pets', { key: sender, headers, json: body })
    expect(await replayed.text()).toBe(response)
    expect(replayed.headers.get('Idempotent-Replayed')).toBe('true')
  }
})

test.each([
  ['SQLite', openSqlite],
  ['PostgreSQL', openPostgres],
] as const)(
  'an import into a store of version 1.0.0 on %s that was killed continues',
  async (_, open) => {
    const db = await open()
    const records = Array.from({ length: 20_000 }, (_, index) =>
      JSON.stringify({ name: `Imported ${index}`, categoryId: index }),
    )
    const file = writeInput('pets.ndjson', `${records.join('\n')}\n`)
    expect(await runImport(db, file)).toMatchObject({ status: 0 })
    const exported = await runExport(db, '--format', 'ndjson')
    const lines = exported.output.trimEnd().split('\n')
    const imported = lines.filter((line) => line.includes('"Imported '))
    expect(lines).toHaveLength(243 + records.length)
    expect(new Set(imported.map((line) => JSON.parse(line).categoryId)).size).toBe(records.length)
  },
)

test.each(engines)(
  'version 1.0.0 knows every migration of a new store in $name, and can be run again on it',
  async ({ createTestDatabase }) => {
    const db = await createTestDatabase()
    await openAt(db)
    const rows = await db.execute('SELECT name FROM kysely_migration ORDER BY name')
    const names = ['0001_animals_and_keys', '0002_key_usage', '0003_imports']
    expect(rows.map(({ name }) => name)).toEqual(names)
  },
)
