import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { findFreePort } from '../../helpers/free-port.ts'
import { openAt } from '../../helpers/places/place.ts'
import { createSqlitePlace } from '../../helpers/places/sqlite-place.ts'
import { startProgram } from '../../helpers/program.ts'
import { startServiceProcess } from '../../helpers/service-process.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'

/** What a start that fails says: always status 1, nothing on standard output, no stack. */
async function complaintOf(env: Readonly<Record<string, string>>): Promise<string[]> {
  const ended = await startProgram('server/main.ts', [], { env: { PORT: '0', ...env } }).ended
  expect(ended).toMatchObject({ status: 1, output: '' })
  expect(ended.complaint).not.toMatch(/^\s+at /m)
  expect(ended.complaint).toMatch(/\n$/)
  return ended.complaint.slice(0, -1).split('\n')
}

/** A server on a free port; gives the port. */
async function listen(onSocket: (socket: Socket) => void = () => undefined): Promise<number> {
  const server = createServer(onSocket)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}

/** A folder that nobody may write to, root included. */
function unwritableFolder(): string {
  if (process.getuid?.() === 0) return '/proc/self'
  const folder = join(createTemporaryFolder(), 'sealed')
  mkdirSync(folder, { mode: 0o555 })
  return folder
}

test.for(['PORT', 'OPS_PORT'])('start failure: a port in use (%s)', async (name) => {
  const port = String(await listen())
  const file = join(createTemporaryFolder(), 'store.sqlite')
  expect(await complaintOf({ [name]: port, DATABASE_URL: `sqlite:${file}` })).toEqual([
    `Cannot listen: listen EADDRINUSE: address already in use 127.0.0.1:${port}. ` +
      `Set ${name} to another port, or to 0 for a free one.`,
  ])
  // The key that nobody was shown is not used up.
  await (await startServiceProcess(file)).firstKey()
})

test('start failure: HOST is no address of this machine', async () => {
  const env = { HOST: '192.0.2.1', DATABASE_URL: 'sqlite::memory:' }
  const [line, ...more] = await complaintOf(env)
  expect(line).toMatch(/^Cannot listen: .*192\.0\.2\.1.* Set HOST and PORT to where the service/)
  expect(more).toEqual([])
})

test('start failure: a store that cannot be opened, which is left as it was', async () => {
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
  const failures = [
    [
      notes,
      `The file ${notes} is not an SQLite database. ${advice} If this one was the store, it is ` +
        'damaged. Restore a backup (README.md, "Backup and restore").',
    ],
    [theirs, `The database ${theirs} belongs to another program. ${advice}`],
    [join(folder, 'inner'), `The database ${join(folder, 'inner')} is not a file. ${advice}`],
    [sealed, expect.stringMatching(`^Cannot open the database ${sealed}: [a-z ]+\\.$`)],
  ]
  for (const [file, line] of failures) {
    expect(await complaintOf({ DATABASE_URL: `sqlite:${file}` })).toEqual([line])
  }
  expect([readFileSync(notes), readFileSync(theirs)]).toEqual(before)
  expect(readdirSync(folder).sort()).toEqual(['inner', 'notes.txt', 'theirs.sqlite'])
})

test('start failure: a store that another process has locked', async () => {
  const place = await createSqlitePlace()
  const { file } = place
  await (await openAt(place)).close()
  const other = new DatabaseSync(file)
  onTestFinished(() => other.close())
  other.exec('BEGIN IMMEDIATE')
  expect(await complaintOf({ DATABASE_URL: `sqlite:${file}` })).toEqual([
    'The database cannot be used: another process holds its lock. Find which one, if that goes on.',
  ])
})

test('start failure: every invalid variable in one go, with its value and what is allowed', async () => {
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

test.for(['prefer', 'require', 'verify-ca'])(
  'start failure: sslmode=%s and a server without TLS',
  async (mode) => {
    // "N" is the response of PostgreSQL to a request for TLS that it does not support.
    const port = await listen((socket) => socket.on('error', () => undefined).end('N'))
    const url = `postgres://keeper@127.0.0.1:${port}/animals?sslmode=${mode}`
    expect(await complaintOf({ DATABASE_URL: url })).toEqual([
      `Cannot open PostgreSQL at 127.0.0.1:${port}, database animals: The server does not support SSL connections. ` +
        'Check DATABASE_URL, and that the database runs and lets the service in. ' +
        `sslmode=${mode} verifies the certificate and the host name here, as verify-full does; no-verify verifies neither.`,
    ])
    const asLibpq = await complaintOf({ DATABASE_URL: `${url}&uselibpqcompat=true` })
    expect(asLibpq).toEqual([expect.not.stringContaining('as verify-full does')])
  },
)

test('start failure: a database that cannot be reached, in a line without its password', async () => {
  const port = await findFreePort()
  const url = `postgres://keeper:s3cr%65t%40@127.0.0.1:${port}/animals`
  const [line, ...more] = await complaintOf({ DATABASE_URL: url })
  expect(line).toBe(
    `Cannot open PostgreSQL at 127.0.0.1:${port}, database animals: connect ECONNREFUSED 127.0.0.1:${port}. ` +
      'Check DATABASE_URL, and that the database runs and lets the service in.',
  )
  expect(more).toEqual([])
})
