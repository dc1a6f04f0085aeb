import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../server/store/open-store.ts'
import type { Store } from '../../server/store/store.ts'
import { createTemporaryFolder } from '../support/temporary-folder.ts'
import { snapshotOpening } from './interrupted-opening.ts'

const cat = { name: 'Cat', categoryId: 1 }

async function open(file: string): Promise<Store> {
  const store = await openStore(`sqlite:${file}`)
  onTestFinished(() => store.close())
  return store
}

/** Every file of a folder with its bytes. */
function readFiles(folder: string): Record<string, string> {
  const names = readdirSync(folder).sort()
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'hex')]))
}

async function refusalOf(file: string): Promise<string> {
  const refused = await openStore(`sqlite:${file}`).catch((error: unknown) => error)
  expect(refused).toMatchObject({ name: 'StoreRefused' })
  return refused instanceof Error ? refused.message : ''
}

test('a first start that is cut off before any of its statements can be repeated', async () => {
  const copies = await snapshotOpening(createTemporaryFolder())
  expect(copies.length).toBeGreaterThan(20)
  for (const copy of copies) {
    const store = await open(copy)
    const added = await store.animals.add(cat)
    expect(added, copy).toEqual({ kind: 'added', animal: { id: 1, ...cat } })
  }
})

test('eight that come to a fresh file at once all get the same store', async () => {
  const file = join(createTemporaryFolder(), 'fresh.sqlite')
  const stores = await Promise.all(Array.from({ length: 8 }, () => open(file)))
  const [first, ...others] = stores
  expect(others.map(({ secret }) => secret)).toEqual(Array(7).fill(first?.secret))
  const added = await Promise.all(stores.map((store) => store.animals.add(cat)))
  expect(new Set(added.map((one) => 'animal' in one && one.animal.id)).size).toBe(8)
})

test('a store is opened while another process writes to it', async () => {
  const file = join(createTemporaryFolder(), 'busy.sqlite')
  await open(file)
  const writer = new DatabaseSync(file)
  onTestFinished(() => writer.close())
  writer.exec('BEGIN IMMEDIATE')
  const second = await open(file)
  expect(await second.animals.page({ after: 0, limit: 10, status: undefined })).toEqual([])
})

test("another program's database stays as it is, with what its crash left", async () => {
  const folder = createTemporaryFolder()
  const copy = join(createTemporaryFolder(), 'theirs.sqlite')
  const theirs = new DatabaseSync(join(folder, 'theirs.sqlite'))
  onTestFinished(() => theirs.close())
  theirs.exec('PRAGMA journal_mode = WAL; CREATE TABLE notes (text TEXT)')
  for (const ending of ['', '-wal']) {
    writeFileSync(copy + ending, readFileSync(join(folder, `theirs.sqlite${ending}`)))
  }
  const before = readFiles(join(copy, '..'))
  expect(Object.keys(before)).toEqual(['theirs.sqlite', 'theirs.sqlite-wal'])
  expect(await refusalOf(copy)).toBe(
    `The database ${copy} belongs to another program. Point DATABASE_URL at another file.`,
  )
  expect(readFiles(join(copy, '..'))).toEqual(before)
})

test('a file that is no database, a folder, and a path through a file are refused', async () => {
  const folder = createTemporaryFolder()
  const text = join(folder, 'notes.txt')
  for (const content of ['x', 'hello '.repeat(2_000)]) {
    writeFileSync(text, content)
    expect(await refusalOf(text)).toContain(`The file ${text} is not an SQLite database.`)
    expect(readFileSync(text, 'utf8')).toBe(content)
  }
  mkdirSync(join(folder, 'inner'))
  expect(await refusalOf(join(folder, 'inner'))).toContain('is not a file.')
  expect(await refusalOf(join(text, 'a', 'store.sqlite'))).toMatch(
    /^Cannot open the database .*\.$/,
  )
  expect(readdirSync(folder).sort()).toEqual(['inner', 'notes.txt'])
})

test('a store that a newer version made is refused', async () => {
  const file = join(createTemporaryFolder(), 'newer.sqlite')
  await (await open(file)).close()
  const newer = new DatabaseSync(file)
  newer.exec(`INSERT INTO kysely_migration VALUES ('9999_newer', '2030-01-01T00:00:00.000Z')`)
  newer.close()
  expect(await refusalOf(file)).toContain('newer version')
})

test('a store in memory is gone when it is closed', async () => {
  const store = await open(':memory:')
  await store.animals.add(cat)
  await store.close()
  expect(await (await open(':memory:')).animals.find(1)).toBeUndefined()
})
