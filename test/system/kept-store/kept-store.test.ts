import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { engines } from '../../helpers/databases/engines.ts'
import { createPostgresDatabase } from '../../helpers/databases/postgres-database.ts'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import { openAt, type TestDatabase } from '../../helpers/databases/test-database.ts'
import { expectSuccess, runScript } from '../../helpers/npm-script.ts'
import { startTestService } from '../../helpers/service.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { writeInput } from '../bulk/files.ts'
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

const kept = [
  { name: 'SQLite', open: openSqlite, ...stores.sqlite },
  { name: 'PostgreSQL', open: openPostgres, ...stores.postgres },
]

test.for(kept)('a store of version 1.0.0 on $name opens, and continues', async (store) => {
  const { keys, cursors, idempotent } = store
  const { send, client } = await startTestService({}, await store.open())
  const { key } = keys.roomy
  const statuses = Object.entries(keys).map(async ([name, { key }]) => {
    return [name, (await send('/v1/pets', { key })).status]
  })
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

  for (const { query: wanted, next, lastId } of cursors) {
    const page = await (await send(`/v1${next}`, { key })).json()
    const { limit, status } = Object.fromEntries(new URLSearchParams(wanted))
    const filter = status === undefined ? {} : { status: status as 'sold' }
    const pets = await Array.fromAsync(client.listPets(filter))
    const from = pets.findIndex(({ id }) => id === lastId) + 1
    expect(page, wanted).toEqual(pets.slice(from, from + Number(limit)))
  }

  for (const { key: idempotencyKey, caller, body, response } of idempotent) {
    const headers = { 'Idempotency-Key': idempotencyKey }
    const sender = keys[caller as 'roomy'].key
    const replayed = await send('/v1/pets', { key: sender, headers, json: body })
    expect(await replayed.text()).toBe(response)
    expect(replayed.headers.get('Idempotent-Replayed')).toBe('true')
  }
})

test.for(kept)(
  'an import into a store of version 1.0.0 on $name that was killed continues',
  async ({ open }) => {
    const db = await open()
    const records = Array.from({ length: 20_000 }, (_, index) =>
      JSON.stringify({ name: `Imported ${index}`, categoryId: index }),
    )
    const file = writeInput('pets.ndjson', `${records.join('\n')}\n`)
    expect(await expectSuccess(runScript(db, 'import', file))).toContain('It continued after')
    const sql = `SELECT count(*), count(DISTINCT name) AS names FROM animals
      WHERE name LIKE 'Imported %'`
    const [found] = await db.execute(sql)
    expect(Object.values(found ?? {}).map(Number)).toEqual([records.length, records.length])
  },
)

test.for(engines)(
  'a new store in $name has the migrations of version 1.0.0 under their names, so that 1.0.0 can be run again on it',
  async ({ createTestDatabase }) => {
    const db = await createTestDatabase()
    await openAt(db)
    const rows = await db.execute('SELECT name FROM kysely_migration ORDER BY name')
    const names = ['0001_animals_and_keys', '0002_key_usage', '0003_imports']
    // Those of a later change of the API come after them.
    expect(rows.map(({ name }) => name).slice(0, names.length)).toEqual(names)
  },
)
