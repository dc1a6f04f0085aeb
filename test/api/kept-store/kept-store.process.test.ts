import { expect, test } from 'vitest'
import { createPostgresDatabase } from '../../helpers/databases/postgres-database.ts'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import type { TestDatabase } from '../../helpers/databases/test-database.ts'
import { expectSuccess } from '../../helpers/npm-script.ts'

import { readKeptStores } from '../../project/kept-store/kept-stores.ts'
import { openKeptPostgres, openKeptSqlite } from '../../project/kept-store/open-kept-store.ts'
import { runOwn, writeInput } from '../bulk/files.ts'
import { startAnimalStore } from '../support/service.ts'
import { type Contents, fillStore, importCount, importText } from './fill-store.ts'

/** A store in a database, and what it contains. */
interface FilledStore {
  readonly db: TestDatabase
  readonly contents: Contents
}

async function fill(
  engine: 'sqlite' | 'postgresql',
  creating: Promise<TestDatabase>,
): Promise<FilledStore> {
  const db = await creating
  const contents = await fillStore({ url: db.url, engine, execute: db.execute })
  return { db, contents }
}

const kept = readKeptStores<Contents>().flatMap((store) => {
  const { version, sqlite, postgresql } = store
  return [
    {
      title: `${version} on SQLite`,
      open: async () => ({ db: await openKeptSqlite(store), contents: sqlite }),
    },
    {
      title: `${version} on PostgreSQL`,
      open: async () => ({ db: await openKeptPostgres(store), contents: postgresql }),
    },
  ]
})

// Before the first release it is the only one, and later it shows that the next one can be kept.
const current = [
  { title: 'this version on SQLite', open: () => fill('sqlite', createSqliteDatabase()) },
  { title: 'this version on PostgreSQL', open: () => fill('postgresql', createPostgresDatabase()) },
]

test.for([...kept, ...current])(
  'a store of $title opens, and continues',
  { timeout: 120_000 },
  async ({ open }) => {
    const { db, contents } = await open()
    const { keys, cursors, idempotent } = contents
    const { send, client } = await startAnimalStore({}, db)
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

    expect(cursors.map(({ next }) => next)).not.toContain('')
    for (const { query, next, lastId } of cursors) {
      const page = await (await send(`/v1${next}`, { key })).json()
      const { limit, status } = Object.fromEntries(new URLSearchParams(query))
      const filter = status === undefined ? {} : { status: status as 'sold' }
      const pets = await Array.fromAsync(client.listPets(filter))
      const from = pets.findIndex(({ id }) => id === lastId) + 1
      expect(page, query).toEqual(pets.slice(from, from + Number(limit)))
    }

    for (const { key: idempotencyKey, caller, body, response } of idempotent) {
      const headers = { 'Idempotency-Key': idempotencyKey }
      const sender = keys[caller].key
      const replayed = await send('/v1/pets', { key: sender, headers, json: body })
      expect(await replayed.text()).toBe(response)
      expect(replayed.headers.get('Idempotent-Replayed')).toBe('true')
    }

    const listed: readonly { readonly id: string; readonly lastUsedAt: string }[] = JSON.parse(
      await expectSuccess(runOwn(db, 'keys', 'list', '--json')),
    )
    const used = listed.find(({ id }) => id === keys.roomy.id)
    expect(Date.parse(used?.lastUsedAt ?? '')).not.toBeNaN()

    const imported = await expectSuccess(
      runOwn(db, 'import', writeInput('pets.ndjson', importText)),
    )
    expect(imported).toContain('It continued after record 2,000.')
    const sql = `SELECT count(*), count(DISTINCT name) AS names FROM pets
      WHERE name LIKE 'Imported %'`
    const [found] = await db.execute(sql)
    const counts = Object.values(found ?? {}).map(Number)
    expect(counts).toEqual([importCount, importCount])
  },
)
