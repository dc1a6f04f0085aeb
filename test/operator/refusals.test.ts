import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../server/store/open-store.ts'
import { startProgram } from '../support/program.ts'
import { startServiceProcess } from '../support/service-process.ts'
import { createTemporaryFolder } from '../support/temporary-folder.ts'

/** What a start that cannot be says: always status 1, nothing on standard output, no stack. */
async function complaintOf(env: Readonly<Record<string, string>>): Promise<string[]> {
  const ended = await startProgram('server/main.ts', [], { env: { PORT: '0', ...env } }).ended
  expect(ended).toMatchObject({ status: 1, output: '' })
  expect(ended.complaint).not.toMatch(/^\s+at /m)
  expect(ended.complaint).toMatch(/\n$/)
  return ended.complaint.slice(0, -1).split('\n')
}

/** A folder that nobody may write to, root included. */
function unwritableFolder(): string {
  if (process.getuid?.() === 0) return '/proc/self'
  const folder = join(createTemporaryFolder(), 'sealed')
  mkdirSync(folder, { mode: 0o555 })
  return folder
}

test.for(['PORT', 'OPS_PORT'])('a port in use is told, and what to do (%s)', async (name) => {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  const file = join(createTemporaryFolder(), 'store.sqlite')
  expect(await complaintOf({ [name]: port, DATABASE_URL: `sqlite:${file}` })).toEqual([
    `Cannot listen: listen EADDRINUSE: address already in use 127.0.0.1:${port}. ` +
      `Set ${name} to another port, or to 0 for a free one.`,
  ])
  // The key that nobody was shown is not used up.
  await (await startServiceProcess(file)).firstKey()
})

test('a host that is not here is told, and what to do', async () => {
  const env = { HOST: '192.0.2.1', DATABASE_URL: 'sqlite::memory:' }
  const [line, ...more] = await complaintOf(env)
  expect(line).toMatch(/^Cannot listen: .*192\.0\.2\.1.* Set HOST and PORT to where the service/)
  expect(more).toEqual([])
})

test('a store that cannot be opened is told in a line, and left as it was', async () => {
  const folder = createTemporaryFolder()
  const notes = join(folder, 'notes.txt')
  const theirs = join(folder, 'theirs.sqlite')
  writeFileSync(notes, 'Feed the cat.\n')
  mkdirSync(join(folder, 'inner'))
  const other = new DatabaseSync(theirs)
  other.exec('CREATE TABLE notes (text TEXT)')
  other.close()
  const before = [readFileSync(notes), readFileSync(theirs)]

  const advice = 'Point DATABASE_URL at another file.'
  const sealed = join(unwritableFolder(), 'store.sqlite')
  const refused = [
    [
      notes,
      `The file ${notes} is not an SQLite database. ${advice} If this one was the store, it is ` +
        'damaged. Restore a backup (README.md, "Backup and restore").',
    ],
    [theirs, `The database ${theirs} belongs to another program. ${advice}`],
    [join(folder, 'inner'), `The database ${join(folder, 'inner')} is not a file. ${advice}`],
    [sealed, expect.stringMatching(`^Cannot open the database ${sealed}: [a-z ]+\\.$`)],
  ]
  for (const [file, line] of refused) {
    expect(await complaintOf({ DATABASE_URL: `sqlite:${file}` })).toEqual([line])
  }
  expect([readFileSync(notes), readFileSync(theirs)]).toEqual(before)
  expect(readdirSync(folder).sort()).toEqual(['inner', 'notes.txt', 'theirs.sqlite'])
})

test('a store that is locked when the first key is made ends the start', async () => {
  const file = join(createTemporaryFolder(), 'store.sqlite')
  await (await openStore(`sqlite:${file}`)).close()
  const other = new DatabaseSync(file)
  onTestFinished(() => other.close())
  other.exec('BEGIN IMMEDIATE')
  expect(await complaintOf({ DATABASE_URL: `sqlite:${file}` })).toEqual([
    'The database cannot be used: another process holds its lock. Find which one, if that goes on.',
  ])
})

test('every bad variable is told at once, with its value and what is allowed', async () => {
  const env = {
    HOST: '',
    PORT: 'http',
    DATABASE_URL: 'postgrse://keeper:s3cret@db.example/animals',
    LOG_LEVEL: 'loud',
    TRUST_PROXY: '',
  }
  expect(await complaintOf(env)).toEqual([
    'PORT is "http". Allowed: a whole number from 0 to 65535.',
    'DATABASE_URL is "postgrse://***@db.example/animals". Allowed: sqlite:FILE, sqlite::memory:, or postgres://USER:PASSWORD@HOST:PORT/DATABASE.',
    'LOG_LEVEL is "loud". Allowed: trace, debug, info, warn, error, fatal, silent.',
  ])
})

test('a database that cannot be reached is told in a line, without its password', async () => {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  await new Promise((closed) => server.close(closed))
  const url = `postgres://keeper:s3cr%65t%40@127.0.0.1:${port}/animals`
  const [line, ...more] = await complaintOf({ DATABASE_URL: url })
  expect(line).toBe(
    `Cannot open PostgreSQL at 127.0.0.1:${port}, database animals: connect ECONNREFUSED 127.0.0.1:${port}. ` +
      'Check DATABASE_URL, and that the database runs and lets the service in.',
  )
  expect(more).toEqual([])
})
