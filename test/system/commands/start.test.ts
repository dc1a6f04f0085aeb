import { chmodSync, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import { openAt } from '../../helpers/databases/test-database.ts'
import { findFreePort, listen } from '../../helpers/free-port.ts'
import { freshFile } from '../../helpers/keys-command.ts'
import { expectFailure } from '../../helpers/npm-script.ts'
import { runInShell, startProgram } from '../../helpers/program.ts'
import { needRedis, redisUrl } from '../../helpers/redis.ts'
import { startServiceProcess } from '../../helpers/service-process.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'

test('the first start alone prints an API key, with addresses that respond and a curl line that works', async () => {
  const DATABASE_URL = `sqlite:${freshFile()}`
  const first = await startServiceProcess({ DATABASE_URL, OPS_PORT: '0' })
  const { program, origin } = first
  const key = await first.firstKey()
  const [line] = await program.waitForOutput(/curl .+/)
  expect(line).toBe(`curl -H 'Authorization: Bearer ${key}' ${origin}/v1/pets`)
  const shell = await runInShell(line.replace('curl', 'curl --silent --show-error --include'))
  expect(shell).toMatchObject({ status: 0, errorOutput: '' })
  expect(shell.output).toMatch(/^HTTP\/1.1 200 /)
  expect(shell.output).toMatch(/\r\n\r\n\[\]$/)

  const links = program.outputSoFar().match(/http:\S+/g) ?? []
  const paths = ['/docs', '/openapi.json', '/openapi.yaml', '/livez', '/readyz']
  const metrics = expect.stringMatching(/^http:\/\/127\.0\.0\.1:[1-9]\d*\/metrics$/)
  const operations = paths.map((path) => origin + path)
  expect(links).toEqual([`${origin}/v1`, ...operations, metrics, `${origin}/v1/pets`])
  for (const link of links.slice(1, -1)) expect((await fetch(link)).status, link).toBe(200)
  const { output, errorOutput } = await program.kill('SIGTERM')
  expect(errorOutput).toBe('')
  // Once in a line of its own, and once in the line to paste.
  expect(output.split(key)).toHaveLength(3)

  const second = await startServiceProcess({ DATABASE_URL })
  const headers = { Authorization: `Bearer ${key}` }
  expect((await fetch(`${second.origin}/v1/pets`, { headers })).status).toBe(200)
  const again = await second.program.kill('SIGTERM')
  expect(again.output).not.toContain('ask_')
  expect(again.output.trimEnd().split('\n')).toHaveLength(4)
})

test('without a DATABASE_URL the store is in data/, and with NODE_ENV=production no API key is made', async () => {
  const cwd = createTemporaryFolder()
  const env = { PORT: '0', DATABASE_URL: '', NODE_ENV: 'production', LOG_LEVEL: 'silent' }
  const program = startProgram('server/main.ts', [], { cwd, env })
  const [, origin] = await program.waitForOutput(/(http:\S+)\/v1\n/)
  expect(existsSync(join(cwd, 'data/animal-store.sqlite'))).toBe(true)
  expect((await fetch(`${origin}/v1/pets`)).status).toBe(401)
  const { output, errorOutput } = await program.kill('SIGTERM')
  expect(output + errorOutput).not.toContain('ask_')
})

test('an OVERLOAD_WAIT_MS that was a target in 1.0.0 is accepted with a warning', async () => {
  const { program } = await startServiceProcess({ OVERLOAD_WAIT_MS: '25', LOG_LEVEL: 'warn' })
  await program.waitForOutput(/"overloadWaitMs":25,"msg":"OVERLOAD_WAIT_MS is the longest wait: /)
})

const endings = ['', '-wal', '-shm']

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8)
}

/** Starts the service on a file, reads the permissions, and stops it by a signal. */
async function expectRestricted(file: string, signal: NodeJS.Signals): Promise<void> {
  const { program } = await startServiceProcess({ DATABASE_URL: `sqlite:${file}` })
  for (const ending of endings) expect(modeOf(file + ending), ending).toBe('600')
  await program.kill(signal)
}

test('the service creates the store with 0600 in folders with 0700, and changes files that others can read', async () => {
  const file = freshFile()
  await expectRestricted(file, 'SIGKILL')
  expect([dirname(file), dirname(dirname(file))].map(modeOf)).toEqual(['700', '700'])
  for (const ending of endings) chmodSync(file + ending, 0o644)
  await expectRestricted(file, 'SIGTERM')
})

/** Expects a start to fail with one line, and no stack. */
function expectNoStart(env: Readonly<Record<string, string>>, line: string | RegExp) {
  const { ended } = startProgram('server/main.ts', [], { env: { PORT: '0', ...env } })
  return expectFailure(ended, line)
}

test('start failure: a port in use, also while connected to Redis, uses up no first API key', async (context) => {
  await needRedis(context)
  const port = String(await listen(createServer()))
  const { url: DATABASE_URL } = await createSqliteDatabase()
  const usual = { DATABASE_URL, LOG_LEVEL: 'silent', REDIS_URL: redisUrl }
  for (const name of ['PORT', 'OPS_PORT']) {
    await expectNoStart(
      { ...usual, [name]: port },
      `Cannot listen: listen EADDRINUSE: address already in use 127.0.0.1:${port}. ` +
        `Set ${name} to another port, or to 0 for a free one.`,
    )
  }
  await (await startServiceProcess({ DATABASE_URL })).firstKey()
})

test('start failure: a store that another process has locked, an address that is not of this machine, a folder that cannot be created, or a database that cannot be reached', async () => {
  const locked = await createSqliteDatabase()
  await (await openAt(locked)).close()
  const unlock = await locked.blockWriters('animals')
  const port = await findFreePort()
  // A request for a password by a method that the driver does not know; the server then waits.
  const unknownMethod = await listen(
    createServer((socket) => socket.write('R\0\0\0\x0b\0\0\0\x0aX\0\0')),
  )
  // A database, or a pooler without a free connection, that lets clients in and does not respond.
  const silent = await listen(
    createServer((socket) => socket.write('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I')),
  )
  const check = 'Check DATABASE_URL, and that the database runs and lets the service in.'
  const failures: readonly (readonly [Record<string, string>, string | RegExp])[] = [
    [
      { DATABASE_URL: locked.url },
      'The database cannot be used: another process holds its lock. Find out which one.',
    ],
    [
      { DATABASE_URL: 'sqlite:/proc/none/store.sqlite' },
      /^Cannot open the database \/proc\/none\/store\.sqlite: ./,
    ],
    [
      { HOST: '192.0.2.1', DATABASE_URL: 'sqlite::memory:' },
      /^Cannot listen: .*192\.0\.2\.1.* Set HOST and PORT to where the service/,
    ],
    [
      { DATABASE_URL: `postgres://keeper:s3cr%65t%40@127.0.0.1:${port}/animals` },
      `Cannot open PostgreSQL at 127.0.0.1:${port}, database animals: connect ECONNREFUSED 127.0.0.1:${port}. ${check}`,
    ],
    [
      { DATABASE_URL: `postgres://keeper@127.0.0.1:${unknownMethod}/animals` },
      /^Cannot open PostgreSQL at .*: SASL: Only .* Check DATABASE_URL/,
    ],
    [
      { DATABASE_URL: `postgres://keeper@127.0.0.1:${silent}/animals` },
      `Cannot open PostgreSQL at 127.0.0.1:${silent}, database animals: Query read timeout. ${check}`,
    ],
  ]
  await Promise.all(failures.map(([env, line]) => expectNoStart(env, line)))
  await unlock()
})

test('npm run mock prints its address and a curl line that works', async () => {
  const env = { PORT: '0', LOG_LEVEL: 'silent' }
  const program = startProgram('server/commands/mock.ts', [], { env })
  const [line] = await program.waitForOutput(/curl .+/)
  const shell = await runInShell(line.replace('curl', 'curl --silent --show-error --include'))
  expect(shell).toMatchObject({ status: 0, errorOutput: '' })
  expect(shell.output).toMatch(/^HTTP\/1.1 200 /)

  expect(await program.kill('SIGTERM')).toMatchObject({ status: 0, errorOutput: '' })
})
