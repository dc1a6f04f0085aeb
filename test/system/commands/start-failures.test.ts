import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { findFreePort, listen } from '../../helpers/free-port.ts'
import { openAt } from '../../helpers/places/place.ts'
import { createSqlitePlace } from '../../helpers/places/sqlite-place.ts'
import { startProgram } from '../../helpers/program.ts'
import { redisUrl } from '../../helpers/redis.ts'
import { startServiceProcess } from '../../helpers/service-process.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'

/** Starts a service that fails: always status 1, nothing on standard output, no stack. */
async function complaintOf(env: Readonly<Record<string, string>>): Promise<string> {
  const ended = await startProgram('server/main.ts', [], { env: { PORT: '0', ...env } }).ended
  expect(ended).toMatchObject({ status: 1, output: '' })
  expect(ended.complaint).not.toMatch(/^\s+at /m)
  expect(ended.complaint).toMatch(/\n$/)
  return ended.complaint.slice(0, -1)
}

test('start failure: a port in use, also while connected to Redis, uses up no first API key', async () => {
  const port = String(await listen(createServer()))
  const file = join(createTemporaryFolder(), 'store.sqlite')
  const usual = { DATABASE_URL: `sqlite:${file}`, LOG_LEVEL: 'silent', REDIS_URL: redisUrl }
  for (const name of ['PORT', 'OPS_PORT']) {
    expect(await complaintOf({ ...usual, [name]: port })).toBe(
      `Cannot listen: listen EADDRINUSE: address already in use 127.0.0.1:${port}. ` +
        `Set ${name} to another port, or to 0 for a free one.`,
    )
  }
  await (await startServiceProcess(file)).firstKey()
})

test('start failure: a store that another process has locked', async () => {
  const place = await createSqlitePlace()
  const { file } = place
  await (await openAt(place)).close()
  const other = new DatabaseSync(file)
  onTestFinished(() => other.close())
  other.exec('BEGIN IMMEDIATE')
  expect(await complaintOf({ DATABASE_URL: `sqlite:${file}` })).toBe(
    'The database cannot be used: another process holds its lock. Find out which one.',
  )
})

test('start failure: an address that is not of this machine, a folder that cannot be created, or a database that cannot be reached', async () => {
  const port = await findFreePort()
  // "N" is the response of PostgreSQL to a request for TLS that it does not support.
  const withoutTls = await listen(
    createServer((socket) => socket.on('error', () => undefined).end('N')),
  )
  const check = 'Check DATABASE_URL, and that the database runs and lets the service in.'
  const url = (mode: string) => `postgres://keeper@127.0.0.1:${withoutTls}/animals?sslmode=${mode}`
  const place = `Cannot open PostgreSQL at 127.0.0.1:${withoutTls}, database animals:`
  const noTls = `${place} The server does not support SSL connections. ${check}`
  const failures: readonly (readonly [Record<string, string>, unknown])[] = [
    [
      { DATABASE_URL: 'sqlite:/proc/none/store.sqlite' },
      expect.stringMatching(/^Cannot open the database \/proc\/none\/store\.sqlite: [^\n]+$/),
    ],
    [
      { HOST: '192.0.2.1', DATABASE_URL: 'sqlite::memory:' },
      expect.stringMatching(
        /^Cannot listen: .*192\.0\.2\.1.* Set HOST and PORT to where the service[^\n]*$/,
      ),
    ],
    [
      { DATABASE_URL: `postgres://keeper:s3cr%65t%40@127.0.0.1:${port}/animals` },
      `Cannot open PostgreSQL at 127.0.0.1:${port}, database animals: connect ECONNREFUSED 127.0.0.1:${port}. ${check}`,
    ],
    ...['prefer', 'require', 'verify-ca'].map((mode) => {
      const meaning = `sslmode=${mode} verifies the certificate and the host name here, as verify-full does; no-verify verifies neither.`
      return [{ DATABASE_URL: url(mode) }, `${noTls} ${meaning}`] as const
    }),
    [{ DATABASE_URL: `${url('require')}&uselibpqcompat=true` }, noTls],
  ]
  const complaints = await Promise.all(failures.map(([env]) => complaintOf(env)))
  expect(complaints).toEqual(failures.map(([, line]) => line))
})
