import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { createPetStore } from '../../../server/pets/pet-store.ts'
import { openAt } from '../../helpers/places/place.ts'
import { createSqlitePlace } from '../../helpers/places/sqlite-place.ts'
import { createRandom } from '../../helpers/random.ts'
import { startTestService, type TestService } from '../../helpers/service.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { watchStatements } from './statements.ts'

const rex = { name: 'Rex', categoryId: 7 }

/** Starts a service on a database file. */
async function startOn(file: string): Promise<TestService> {
  return startTestService({}, { ...(await createSqlitePlace()), url: `sqlite:${file}` })
}

/** The message with which a service does not start on a file. */
async function startError(file: string): Promise<string> {
  const error = await startOn(file).catch((error: unknown) => error)
  expect(error).toHaveProperty('name', 'StoreError')
  return error instanceof Error ? error.message : ''
}

/** Every file of a folder with its bytes. */
function readFiles(folder: string): Record<string, string> {
  const names = readdirSync(folder).sort()
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'hex')]))
}

/** Copies a database with its logs, as a crash would leave them. */
function copyDatabase(file: string): string {
  const copy = join(createTemporaryFolder(), 'store.sqlite')
  for (const ending of ['', '-wal', '-journal']) {
    if (existsSync(file + ending)) copyFileSync(file + ending, copy + ending)
  }
  return copy
}

test('a first start that is cut off between its statements can be repeated', async () => {
  const { file, ...place } = await createSqlitePlace()
  const copies: string[] = []
  const { stop } = await watchStatements(
    () => copies.push(copyDatabase(file)),
    () => startTestService({}, place),
  )
  await stop()
  expect(copies.length).toBeGreaterThan(20)
  for (const copy of copies.filter((_, at) => at % 3 === 0)) {
    const service = await startOn(copy)
    expect(await service.client.createPet(rex), copy).toEqual({ id: 1, ...rex })
    await service.stop()
  }
})

test('eight services that start at once on a new file have one store', async () => {
  const file = join(createTemporaryFolder(), 'new.sqlite')
  const services = await Promise.all(Array.from({ length: 8 }, () => startOn(file)))
  const created = await Promise.all(services.map(({ client }) => client.createPet(rex)))
  expect(created.map(({ id }) => id).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
})

test('a service starts while another process writes to its store', async () => {
  const place = await createSqlitePlace()
  await openAt(place)
  const release = await place.blockWriters('animals')
  const store = await openAt(place)
  expect(await createPetStore(store.database).lastId()).toBe(0)
  await release()
})

test("another program's database is rejected, and left as it is with the log of its crash", async () => {
  const file = join(createTemporaryFolder(), 'theirs.sqlite')
  const theirs = new DatabaseSync(file)
  onTestFinished(() => theirs.close())
  theirs.exec('PRAGMA journal_mode = WAL; CREATE TABLE notes (text TEXT)')
  const copy = copyDatabase(file)
  const before = readFiles(join(copy, '..'))
  expect(Object.keys(before)).toEqual(['store.sqlite', 'store.sqlite-wal'])
  expect(await startError(copy)).toBe(
    `The database ${copy} belongs to another program. Point DATABASE_URL at another file.`,
  )
  expect(readFiles(join(copy, '..'))).toEqual(before)
})

test('a file that is no database, a folder, and a path through a file are rejected', async () => {
  const folder = createTemporaryFolder()
  const text = join(folder, 'notes.txt')
  for (const content of ['x', 'hello '.repeat(2_000)]) {
    writeFileSync(text, content)
    expect(await startError(text)).toContain(`The file ${text} is not an SQLite database.`)
    expect(readFileSync(text, 'utf8')).toBe(content)
  }
  mkdirSync(join(folder, 'inner'))
  expect(await startError(join(folder, 'inner'))).toContain('is not a file.')
  expect(await startError(join(text, 'a', 'store.sqlite'))).toMatch(
    /^Cannot open the database .*\.$/,
  )
  expect(readdirSync(folder).sort()).toEqual(['inner', 'notes.txt'])
})

const unavailable = { status: 503, code: 'unavailable', retryAfter: 1 }

test('a database file that is moved away stops writes and /readyz, until it is back', async () => {
  const { file, ...place } = await createSqlitePlace()
  const { client, send, logged } = await startTestService({}, place)
  await client.createPet(rex)
  renameSync(file, `${file}.away`)
  await expect(client.createPet(rex, { maxRetries: 0 })).rejects.toMatchObject(unavailable)
  expect((await send('/readyz')).status).toBe(503)
  expect((await send('/livez')).status).toBe(200)
  expect(JSON.stringify(logged)).toContain('was moved or deleted')
  renameSync(`${file}.away`, file)
  expect(await client.createPet(rex)).toMatchObject({ id: 2 })
  expect((await send('/readyz')).status).toBe(200)
})

const advice = 'Restore a backup (README.md, "Backup and restore").'
const page = 4096

/** A database file of some pages with the log that a crash has left. */
async function createFile(): Promise<string> {
  const { file, ...place } = await createSqlitePlace()
  const { client, stop } = await startTestService({}, place)
  const create = (name: string) => client.createPet({ name, categoryId: 1 })
  for (let number = 0; number < 40; number++) await create(`${number} `.padEnd(1_000, 'x'))
  const connection = new DatabaseSync(file)
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  connection.close()
  await create('the last')
  const copy = copyDatabase(file)
  await stop()
  return copy
}

/** Where the page with some of the pets begins. */
function pageOfPets(file: string): number {
  const at = readFileSync(file).indexOf('20 xxxx')
  expect(at).toBeGreaterThan(page)
  return at - (at % page)
}

function overwrite(file: string, from: number, length: number): void {
  const random = createRandom(from + length)
  const bytes = readFileSync(file)
  for (let at = from; at < from + length; at++) bytes[at] = Math.floor(random() * 256)
  writeFileSync(file, bytes)
}

const damages: Readonly<Record<string, (file: string) => void>> = {
  'random bytes over its header': (file) => overwrite(file, 0, 100),
  'random bytes in its header': (file) => overwrite(file, 16, 50),
  'random bytes over its first page': (file) => overwrite(file, 100, page - 100),
  'random bytes over a page': (file) => overwrite(file, pageOfPets(file), page),
  'half of it gone': (file) => truncateSync(file, readFileSync(file).length / 2),
  'all but a few bytes gone': (file) => truncateSync(file, 50),
}

test('a damaged database file is rejected after a crash, and left as it is', async () => {
  const original = await createFile()
  for (const [what, apply] of Object.entries(damages)) {
    const file = copyDatabase(original)
    apply(file)
    const before = readFiles(join(file, '..'))
    const message = await startError(file)
    expect(message, what).toContain(file)
    expect(message, what).toContain(advice)
    expect(readFiles(join(file, '..')), what).toMatchObject(before)
  }
})

test('a database file that is damaged beneath a service is 503 where it cannot be read', async () => {
  const file = await createFile()
  const { client, logged } = await startOn(file)
  overwrite(file, pageOfPets(file), page)
  expect(await client.getPet(1)).toMatchObject({ id: 1 })
  const listing = client.listPets({ limit: 50 }, { maxRetries: 0 })
  await expect(listing).rejects.toMatchObject(unavailable)
  expect(JSON.stringify(logged)).toContain(JSON.stringify(advice).slice(1, -1))
})
