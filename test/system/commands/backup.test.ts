import {
  chmodSync,
  copyFileSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { createAnimalStore } from '../../../client/index.ts'
import { createPostgresDatabase, databaseAt } from '../../helpers/databases/postgres-database.ts'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import { openAt } from '../../helpers/databases/test-database.ts'
import { expectFailure, runScript } from '../../helpers/npm-script.ts'
import {
  type Ended,
  needCommand,
  project,
  runInShell,
  startProgram,
} from '../../helpers/program.ts'
import { startTestService } from '../../helpers/service.ts'
import { startServiceProcess } from '../../helpers/service-process.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'

function run(command: 'backup' | 'restore', file: string, ...args: string[]): Promise<Ended> {
  return runScript([command, ...args], `sqlite:${file}`)
}

/** Adds pets beside the service. */
function fill(file: string, count: number, name: string): void {
  using database = new DatabaseSync(file, { timeout: 5_000 })
  database.exec(`WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${count})
    INSERT INTO animals (name, category_id) SELECT ${name}, n FROM s`)
}

/** Creates a store of some megabytes, which no process has open. */
async function createStore(animals = 4_000): Promise<string> {
  const db = await createSqliteDatabase()
  await (await openAt(db)).close()
  fill(db.file, animals, 'hex(zeroblob(500))')
  return db.file
}

function damage(file: string): void {
  const bytes = readFileSync(file)
  bytes.fill(0xaa, bytes.length / 2, bytes.length / 2 + 8_192)
  writeFileSync(file, bytes)
}

/** Returns the numbers in a row of a database, whose integrity is checked. */
function ask(file: string, sql: string): unknown[] {
  using database = new DatabaseSync(file, { readOnly: true })
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  return Object.values(database.prepare(sql).get() ?? {})
}

const countAnimals = 'SELECT count(*) FROM animals'

test('a backup during writes is one moment of the store', async () => {
  const { file, ...db } = await createSqliteDatabase()
  const { client } = await startTestService({ RATE_LIMITS: 'off' }, db)
  fill(file, 100_000, "'animal number ' || n")
  const target = join(createTemporaryFolder(), 'copy.sqlite')
  let last = 0
  let isOver = false
  const writeOn = async (): Promise<void> => {
    // Each goes into two tables: half of one would show.
    while (!isOver) last = (await client.createPet({ name: 'Rex', categoryId: 1 })).id
  }
  const writers = [writeOn(), writeOn(), writeOn()]
  while (last === 0) await new Promise(setImmediate)
  const acknowledged = last
  const ended = await run('backup', file, target)
  isOver = true
  await Promise.all(writers)

  expect(ended).toMatchObject({ status: 0, errorOutput: '' })
  expect(ended.output).toMatch(/Backed up the store to \S+copy\.sqlite: [\d,]+ bytes\.\n$/)
  const sql = 'SELECT count(*), max(id), (SELECT count(*) FROM idempotency_keys) FROM animals'
  const [count, most, keys] = ask(target, sql)
  expect(Number(most)).toBeGreaterThanOrEqual(acknowledged)
  expect(Number(most)).toBeLessThan(last)
  expect(count).toBe(most)
  expect(keys).toBe(Number(most) - 100_000)
  expect(readdirSync(dirname(target))).toEqual(['copy.sqlite'])
  expect(statSync(target).mode & 0o777).toBe(0o600)
})

test('a restored backup has all that was acknowledged before it, and a start rejects one beside the log of the old store', async () => {
  const folder = createTemporaryFolder()
  const file = join(folder, 'data', 'store.sqlite')
  const backup = join(folder, 'monday.sqlite')
  const first = await startServiceProcess({ DATABASE_URL: `sqlite:${file}` })
  const apiKey = await first.firstKey()
  const connect = (origin: string) => createAnimalStore({ baseUrl: `${origin}/v1`, apiKey })
  const old = connect(first.origin)
  for (const name of ['one', 'two']) await old.createPet({ name, categoryId: 1 })
  expect(await run('backup', file, backup)).toMatchObject({ status: 0 })
  chmodSync(backup, 0o644)
  chmodSync(file, 0o644)
  await old.createPet({ name: 'three', categoryId: 1 })
  const inUse = `The database ${file} is in use. Stop the service, and run the same command again.`
  await expectFailure(run('restore', file, backup), inUse)
  await first.program.kill('SIGKILL')
  const crashed = readFileSync(file)
  copyFileSync(backup, file)
  const env = { PORT: '0', DATABASE_URL: `sqlite:${file}` }
  const beside =
    `The log ${file}-wal was left by another database, in whose place ${file} was put. ` +
    `Remove ${file}-wal and ${file}-shm, and start again.`
  await expectFailure(startProgram('server/main.ts', [], { env }).ended, beside)
  writeFileSync(file, crashed)

  const restored = await run('restore', file, backup)
  expect(restored).toMatchObject({ status: 0, errorOutput: '' })
  const [, aside = ''] = /^The previous database is (\S+)\. /m.exec(restored.output) ?? []
  expect(readdirSync(dirname(file))).toEqual(['store.sqlite', basename(aside)])
  expect([file, aside].map((name) => statSync(name).mode & 0o777)).toEqual([0o600, 0o600])
  expect(ask(aside, countAnimals)).toEqual([3])

  const second = await startServiceProcess({ DATABASE_URL: `sqlite:${file}` })
  const fresh = connect(second.origin)
  expect((await fresh.listPets()).map(({ name }) => name)).toEqual(['one', 'two'])
  expect(await fresh.createPet({ name: 'four', categoryId: 1 })).toMatchObject({ id: 3 })
  await second.program.kill('SIGTERM')
  // The backup is as it was, and may be restored again, also where nothing is.
  const elsewhere = join(folder, 'elsewhere', 'store.sqlite')
  expect(await run('restore', elsewhere, backup)).toMatchObject({ status: 0, errorOutput: '' })
  expect(ask(elsewhere, countAnimals)).toEqual([2])
})

test('backup overwrites a file only with --replace, and never the store', async () => {
  const file = await createStore()
  const folder = createTemporaryFolder()
  const target = join(folder, 'notes.txt')
  writeFileSync(target, 'Feed the cat.')
  const isThere = `${target} is there already. Name another file, or add --replace.`
  await expectFailure(run('backup', file, target), isThere)
  expect(readFileSync(target, 'utf8')).toBe('Feed the cat.')
  expect(await run('backup', file, target, '--replace')).toMatchObject({ status: 0 })
  expect(ask(target, countAnimals)).toEqual([4_000])
  const link = join(folder, 'link')
  symlinkSync(file, link)
  for (const itself of [file, link]) {
    const line = `${itself} is the database itself. Name another file.`
    await expectFailure(run('backup', file, itself, '--replace'), line)
  }
  const isFolder = `${folder} is not a file. Name another one.`
  await expectFailure(run('backup', file, folder, '--replace'), isFolder)
  expect(readdirSync(folder).sort()).toEqual(['link', 'notes.txt'])
})

test('a backup of a damaged store fails and leaves nothing', async () => {
  const file = await createStore()
  const folder = createTemporaryFolder()
  damage(file)
  const line =
    /^The database \S+ is damaged \(.*\) and was left as it is\. Restore a backup \(docs\/operations\.md/
  await expectFailure(run('backup', file, join(folder, 'copy.sqlite')), line)
  expect(readdirSync(folder)).toEqual([])
})

test('restore rejects what is not a backup, and a target that is not a store; a damaged store is kept in another file', async () => {
  const file = await createStore()
  const before = readFileSync(file)
  const folder = createTemporaryFolder()
  const notes = join(folder, 'notes.txt')
  writeFileSync(notes, 'Feed the cat.'.repeat(100))
  const noBackup = `${notes} is not a backup of a store.`
  await expectFailure(run('restore', file, notes), noBackup)
  expect(readFileSync(file).equals(before)).toBe(true)
  const theirs = join(folder, 'theirs.sqlite')
  {
    using other = new DatabaseSync(theirs)
    other.exec('CREATE TABLE notes (text TEXT)')
  }
  const belongs = /belongs to another program\./
  await expectFailure(run('restore', theirs, file), belongs)
  expect(readdirSync(folder).sort()).toEqual(['notes.txt', 'theirs.sqlite'])
  expect(readdirSync(dirname(file))).toEqual(['store.sqlite'])

  const broken = await createStore()
  damage(broken)
  const ofBroken = readFileSync(broken)
  const { output } = await run('restore', broken, file)
  const [, aside = ''] = /^The previous database is (\S+)\. /m.exec(output) ?? []
  // The first hundred bytes are the header, which SQLite writes.
  expect(readFileSync(aside).subarray(100).equals(ofBroken.subarray(100))).toBe(true)
  expect(ask(broken, countAnimals)).toEqual([4_000])
})

test('backup and restore fail with status 1 and one line without a store or a backup', async () => {
  const noStore = 'There is no database /nowhere/a.'
  await expectFailure(run('backup', '/nowhere/a', 'b'), noStore)
  const noBackup = 'There is no backup /nowhere/b.'
  await expectFailure(run('restore', 'a', '/nowhere/b'), noBackup)
  const folder = createTemporaryFolder()
  const isFolder = /^Cannot read \S+: EISDIR: illegal operation on a directory, read\.$/
  await expectFailure(run('backup', folder, 'b'), isFolder)
  await expectFailure(run('restore', 'a', folder), isFolder)
})

test('the lines of docs/operations.md for PostgreSQL, which backup and restore print, keep pets and API keys', async (context) => {
  needCommand(context, 'pg_dump')
  const page = readFileSync(join(project, 'docs/operations.md'), 'utf8')
  const lines = [...page.matchAll(/`(pg_\w+ .*?)`/g)].map(([, line = '']) => line)
  expect(lines).toHaveLength(2)
  for (const [index, name] of ['backup', 'restore'].entries()) {
    const printed = `PostgreSQL has a tool for that: ${lines[index]}`
    const url = 'postgres://keeper:s3cret@db.example/animals'
    await expectFailure(runScript([name, 'b'], url), printed)
  }
  const db = await createPostgresDatabase()
  const file = join(createTemporaryFolder(), 'store.dump')
  const follow = async (line = '', url = db.url) => {
    const ended = await runInShell(`DATABASE_URL='${url}'; ${line.replace(/\bFILE\b/, file)}`)
    expect(ended).toMatchObject({ status: 0, errorOutput: '' })
  }
  const old = await startTestService({}, db)
  const { key } = await old.issue()
  await old.send('/v1/pets', { key, json: { name: 'Rex', categoryId: 7 } })
  await follow(lines[0])
  await old.send('/v1/pets', { key, json: { name: 'Mia', categoryId: 7 } })
  await old.stop()

  const empty = new URL(db.url)
  empty.pathname += '_restored'
  const name = empty.pathname.slice(1)
  await db.execute(`CREATE DATABASE ${name}`)
  onTestFinished(async () => void (await db.execute(`DROP DATABASE ${name} WITH (FORCE)`)))
  for (const url of [db.url, empty.href]) {
    await follow(lines[1], url)
    const restored = await startTestService({}, databaseAt(url))
    const response = await restored.send('/v1/pets', { key })
    expect(await response.json()).toEqual([{ id: 1, name: 'Rex', categoryId: 7 }])
    const added = await restored.send('/v1/pets', { key, json: { name: 'Mia', categoryId: 7 } })
    expect(await added.json()).toMatchObject({ id: 2 })
    await restored.stop()
  }
})
