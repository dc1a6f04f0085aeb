import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import { openAt } from '../../helpers/databases/test-database.ts'
import { startFixtureService } from '../../helpers/fixture-service.ts'
import { createRandom } from '../../helpers/random.ts'
import type { TestService } from '../../helpers/service.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { createTool, saw } from './support/tools.ts'

/** Starts a service on a database file. */
async function startOn(file: string): Promise<TestService> {
  return startFixtureService({}, { ...(await createSqliteDatabase()), url: `sqlite:${file}` })
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

test('a service starts while another process writes to its store', async () => {
  const db = await createSqliteDatabase()
  await openAt(db, fixtureApi)
  const release = await db.blockWriters('tools')
  const { database } = await openAt(db, fixtureApi)
  expect(await database.read('SELECT id FROM tools')).toEqual([])
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

const advice = 'Restore a backup (docs/operations.md, "Backup and restore").'
const page = 4096

/** A database file of some pages with the log that a crash has left. */
async function createFile(): Promise<string> {
  const { file, ...db } = await createSqliteDatabase()
  const service = await startFixtureService({}, db)
  for (let number = 0; number < 80; number++) {
    await createTool(service, { ...saw, note: `${number} `.padEnd(500, 'x') })
  }
  const connection = new DatabaseSync(file)
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  connection.close()
  await createTool(service)
  const copy = copyDatabase(file)
  await service.stop()
  return copy
}

/** Where the page with some of the tools begins. */
function pageOfTools(file: string): number {
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
  'random bytes over a page': (file) => overwrite(file, pageOfTools(file), page),
  'half of it gone': (file) => truncateSync(file, readFileSync(file).length / 2),
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
