import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { createPostgresDatabase, databaseAt } from '../../helpers/databases/postgres-database.ts'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import { openAt } from '../../helpers/databases/test-database.ts'
import { startFixtureService, tools } from '../../helpers/fixture-service.ts'
import { expectFailure, expectSuccess, runScript } from '../../helpers/npm-script.ts'
import {
  type Ended,
  needCommand,
  project,
  runInShell,
  startProgram,
} from '../../helpers/program.ts'
import { startServiceProcess } from '../../helpers/service-process.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { createToolClient, fillTools } from '../../helpers/tools.ts'
import { createTool, listIds } from '../store/support/tools.ts'

function run(command: 'backup' | 'restore', file: string, ...args: string[]): Promise<Ended> {
  return runScript({ url: `sqlite:${file}` }, command, ...args)
}

/** Creates a store of some megabytes, which no process has open, and a copy that is damaged. */
async function createStores() {
  const db = await createSqliteDatabase()
  await (await openAt(db)).close()
  await fillTools(db, 4_000, 'hex(zeroblob(500))')
  const bytes = readFileSync(db.file)
  bytes.fill(0xaa, bytes.length / 2, bytes.length / 2 + 8_192)
  const folder = dirname(db.file)
  const damaged = join(folder, 'damaged.sqlite')
  writeFileSync(damaged, bytes)
  return { store: db.file, damaged, folder }
}

/** Returns the numbers in a row of a database, whose integrity is checked. */
function readRow(file: string, sql: string): unknown[] {
  using database = new DatabaseSync(file, { readOnly: true })
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  return Object.values(database.prepare(sql).get() ?? {})
}

const countTools = 'SELECT count(*) FROM tools'

test('a backup during writes is one moment of the store', async () => {
  const { file, ...db } = await createSqliteDatabase()
  const service = await startFixtureService({ RATE_LIMITS: 'off' }, db)
  await fillTools(db, 100_000)
  const target = join(createTemporaryFolder(), 'copy.sqlite')
  let last = 0
  let isOver = false
  const writeOn = async (): Promise<void> => {
    // Each goes into two tables: half of one would show.
    while (!isOver) {
      last = await createTool(service)
    }
  }
  const writing = Promise.all([writeOn(), writeOn(), writeOn()])
  while (last === 0) {
    await new Promise(setImmediate)
  }
  const acknowledged = last
  const output = await expectSuccess(run('backup', file, target))
  isOver = true
  await writing

  expect(output).toMatch(/Backed up the store to \S+copy\.sqlite: [\d,]+ bytes\.\n$/)
  const sql = 'SELECT count(*), max(id), (SELECT count(*) FROM idempotency_keys) FROM tools'
  const [count, most, keys] = readRow(target, sql)
  expect(Number(most)).toBeGreaterThanOrEqual(acknowledged)
  expect(Number(most)).toBeLessThan(last)
  expect(count).toBe(most)
  expect(keys).toBe(Number(most) - 100_000)
  expect(readdirSync(dirname(target))).toEqual(['copy.sqlite'])
  expect(statSync(target).mode & 0o777).toBe(0o600)
})

test('a restored backup has all that was acknowledged before it, and a start rejects one beside the log of the old store', async () => {
  const folder = createTemporaryFolder()
  const { file, url: DATABASE_URL } = await createSqliteDatabase(join(folder, 'data'))
  const backup = join(folder, 'monday.sqlite')
  writeFileSync(backup, 'replaced')
  const first = await startServiceProcess({ DATABASE_URL })
  const apiKey = await first.firstKey()
  const old = createToolClient(first.origin, apiKey)
  for (const name of ['one', 'two']) {
    await old.create(name)
  }
  await expectSuccess(run('backup', file, backup, '--replace'))
  for (const path of [backup, file]) {
    chmodSync(path, 0o644)
  }
  await old.create('three')
  const inUse = `The database ${file} is in use. Stop the service, and run the same command again.`
  await expectFailure(run('restore', file, backup), inUse)
  await first.program.kill('SIGKILL')
  const crashed = readFileSync(file)
  copyFileSync(backup, file)
  const beside =
    `The log ${file}-wal was left by another database, in whose place ${file} was put. ` +
    `Remove ${file}-wal and ${file}-shm, and start again.`
  const env = { PORT: '0', DATABASE_URL }
  await expectFailure(startProgram('server/main.ts', [], { env }).ended, beside)
  writeFileSync(file, crashed)

  const restored = await expectSuccess(run('restore', file, backup))
  const [, aside = ''] = /^The previous database is (\S+)\. /m.exec(restored) ?? []
  expect(readdirSync(dirname(file))).toEqual(['store.sqlite', basename(aside)])
  expect([file, aside].map((name) => statSync(name).mode & 0o777)).toEqual([0o600, 0o600])
  expect(readRow(aside, countTools)).toEqual([3])

  const second = await startServiceProcess({ DATABASE_URL })
  const fresh = createToolClient(second.origin, apiKey)
  expect((await fresh.list()).map(({ name }) => name)).toEqual(['one', 'two'])
  expect(await fresh.create('four')).toMatchObject({ id: 3 })
  await second.program.kill('SIGTERM')
  // The backup is as it was, and may be restored again, also where nothing is.
  const elsewhere = join(folder, 'elsewhere', 'store.sqlite')
  await expectSuccess(run('restore', elsewhere, backup))
  expect(readRow(elsewhere, countTools)).toEqual([2])
})

test('a damaged store is kept in another file when a backup is restored', async () => {
  const { store, damaged } = await createStores()
  const before = readFileSync(damaged)
  const output = await expectSuccess(run('restore', damaged, store))
  const [, aside = ''] = /^The previous database is (\S+)\. /m.exec(output) ?? []
  // The first hundred bytes are the header, which SQLite writes.
  expect(readFileSync(aside).subarray(100).equals(before.subarray(100))).toBe(true)
  expect(readRow(damaged, countTools)).toEqual([4_000])
})

test('a file that is no database is kept, with the log beside it, when a backup is restored', async () => {
  const { store, folder } = await createStores()
  const notes = join(folder, 'notes')
  writeFileSync(notes, 'Feed the cat.'.repeat(100))
  writeFileSync(`${notes}-wal`, 'A log of another program.')
  const output = await expectSuccess(run('restore', notes, store))
  const [, aside = ''] = /^The previous database is (\S+)\. /m.exec(output) ?? []
  expect([notes, aside].map((name) => existsSync(`${name}-wal`))).toEqual([false, true])
  expect(readRow(notes, countTools)).toEqual([4_000])
})

test('backup does not replace a file without --replace, or the store, and copies no damaged one; restore takes only a backup, and replaces only a store', async () => {
  const { store, damaged, folder } = await createStores()
  const [notes, link, theirs] = [join(folder, 'a'), join(folder, 'b'), join(folder, 'c')]
  writeFileSync(notes, 'Feed the cat.'.repeat(100))
  symlinkSync(store, link)
  {
    using other = new DatabaseSync(theirs)
    other.exec('CREATE TABLE notes (text TEXT)')
  }
  const read = () =>
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'latin1')])
  const before = read()
  const replace = (file: string) => run('backup', store, file, '--replace')
  const isItself = (file: string) => `${file} is the database itself. Name another file.`
  const advice =
    /^The database \S+ is damaged \(.*\) and was left as it is\. Restore a backup \(docs\/operations\.md/
  // One after another: a command that reads the store while another one closes it leaves files beside it.
  const failures: readonly (readonly [start: () => Promise<Ended>, line: string | RegExp])[] = [
    [
      () => run('backup', store, notes),
      `${notes} is there already. Name another file, or add --replace.`,
    ],
    [() => replace(folder), `${folder} is not a file. Name another one.`],
    [() => replace(store), isItself(store)],
    [() => replace(link), isItself(link)],
    [() => run('backup', damaged, join(folder, 'new')), advice],
    [() => run('restore', store, damaged), advice],
    [() => run('restore', store, notes), `${notes} is not a backup of a store.`],
    [() => run('restore', theirs, store), /belongs to another program\./],
  ]
  for (const [start, line] of failures) {
    await expectFailure(start(), line)
  }
  expect(read()).toEqual(before)
})

test('the lines of docs/operations.md for PostgreSQL, which backup and restore print, keep tools and API keys', async (context) => {
  needCommand(context, 'pg_dump')
  const page = readFileSync(join(project, 'docs/operations.md'), 'utf8')
  const commands = [...page.matchAll(/^pg_\w+ .*$/gm)].map(([command]) => command)
  const lines = commands.map((command) => command.replace('monday.dump', 'FILE'))
  expect(lines).toHaveLength(2)
  for (const [index, name] of ['backup', 'restore'].entries()) {
    const printed = `PostgreSQL has a tool for that: ${lines[index]}`
    const url = 'postgres://keeper:s3cret@db.example/tools'
    await expectFailure(runScript({ url }, name, 'b'), printed)
  }
  const db = await createPostgresDatabase()
  const file = join(createTemporaryFolder(), 'store.dump')
  const follow = (line = '', url = db.url) =>
    expectSuccess(runInShell(`DATABASE_URL='${url}'; ${line.replace(/\bFILE\b/, file)}`))
  const old = await startFixtureService({}, db)
  await createTool(old)
  await follow(lines[0])
  await createTool(old)
  await old.stop()

  const empty = new URL(db.url)
  empty.pathname += '_restored'
  const name = empty.pathname.slice(1)
  await db.execute(`CREATE DATABASE ${name}`)
  onTestFinished(async () => void (await db.execute(`DROP DATABASE ${name} WITH (FORCE)`)))
  for (const url of [db.url, empty.href]) {
    await follow(lines[1], url)
    const restored = await startFixtureService({}, databaseAt(url))
    const response = await restored.send(tools, { key: old.apiKey })
    expect(response.status).toBe(200)
    expect(await listIds(restored)).toEqual([1])
    expect(await createTool(restored)).toBe(2)
    await restored.stop()
  }
})
