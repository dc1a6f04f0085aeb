import { chmodSync, existsSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { apiKeyMarker, apiName } from '../../../server/process/names.ts'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import { openAt } from '../../helpers/databases/test-database.ts'
import { tools } from '../../helpers/fixture-service.ts'
import { findFreePort, listen } from '../../helpers/free-port.ts'
import { expectFailure, expectSuccess } from '../../helpers/npm-script.ts'
import { runCurl } from '../../helpers/page-code.ts'
import { fixtureProject, startCommand, startProgram } from '../../helpers/program.ts'
import { createProjectCopy, runInCopy } from '../../helpers/project-copy.ts'
import { redisUrl } from '../../helpers/redis.ts'
import { startServiceProcess } from '../../helpers/service-process.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'

test('the first start alone prints an API key, with addresses that respond and a curl line that works', async () => {
  const { url: DATABASE_URL } = await createSqliteDatabase()
  const copy = await createProjectCopy()
  await runInCopy(copy, 'node scripts/reference.ts')
  const environment = { DATABASE_URL, OPS_PORT: '0' }
  const { program, origin, firstKey } = await startServiceProcess(environment, copy)
  const key = await firstKey()
  const [line] = await program.waitForOutput(/curl .+/)
  expect(line).toBe(`curl -H 'Authorization: Bearer ${key}' ${origin}${tools}`)
  expect(await runCurl(line)).toBe('[]')

  const links = program.outputSoFar().match(/http:\S+/g) ?? []
  const paths = ['/docs', '/openapi.json', '/openapi.yaml', '/mcp', '/livez', '/readyz']
  const metrics = expect.stringMatching(/^http:\/\/127\.0\.0\.1:[1-9]\d*\/metrics$/)
  const operations = paths.map((path) => origin + path)
  expect(links).toEqual([origin + fixtureApi.basePath, ...operations, metrics, `${origin}${tools}`])
  for (const link of links.slice(1, -1)) {
    // Messages of agents are sent by POST.
    expect((await fetch(link)).status, link).toBe(link.endsWith('/mcp') ? 405 : 200)
  }
  // Once in a line of its own, and once in the line to paste.
  expect((await expectSuccess(program.kill('SIGTERM'))).split(key)).toHaveLength(3)

  const second = await startServiceProcess({ DATABASE_URL })
  const headers = { Authorization: `Bearer ${key}` }
  expect((await fetch(`${second.origin}${tools}`, { headers })).status).toBe(200)
  const again = await expectSuccess(second.program.kill('SIGTERM'))
  expect(again).not.toContain(apiKeyMarker)
  expect(again.trimEnd().split('\n')).toHaveLength(5)
})

test('without a DATABASE_URL the store is in data/, and with NODE_ENV=production no API key is made', async () => {
  const cwd = createTemporaryFolder()
  const env = { PORT: '0', DATABASE_URL: '', NODE_ENV: 'production', LOG_LEVEL: 'silent' }
  const program = startProgram('server/main.ts', [], { cwd, env })
  const [, origin] = await program.waitForOutput(/listens at (http:\/\/[^/]+)/)
  expect(existsSync(join(cwd, `data/${apiName}.sqlite`))).toBe(true)
  expect((await fetch(`${origin}${tools}`)).status).toBe(401)
  expect(await expectSuccess(program.kill('SIGTERM'))).not.toContain(apiKeyMarker)
})

test('the service creates the store with 0600 in folders with 0700, and changes files that others can read', async () => {
  const parent = join(createTemporaryFolder(), 'not')
  const { file, url: DATABASE_URL } = await createSqliteDatabase(join(parent, 'yet'))
  const files = ['', '-wal', '-shm'].map((ending) => file + ending)
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
  for (const _ of ['created', 'changed']) {
    const { program } = await startServiceProcess({ DATABASE_URL })
    expect(files.map(modeOf)).toEqual(['600', '600', '600'])
    await program.kill('SIGKILL')
    for (const path of files) {
      chmodSync(path, 0o644)
    }
  }
  expect([parent, dirname(file)].map(modeOf)).toEqual(['700', '700'])
})

test('start failure: a port in use, a locked store, an address of another machine, a folder that cannot be created, and a database that cannot be reached; none uses up the first API key', async () => {
  const { url: DATABASE_URL } = await createSqliteDatabase()
  const locked = await createSqliteDatabase()
  await (await openAt(locked)).close()
  const unlock = await locked.blockWriters('tools')
  const used = await listen(createServer())
  const inUse = (name: string) =>
    `Cannot listen: listen EADDRINUSE: address already in use 127.0.0.1:${used}. ` +
    `Set ${name} to another port, or to 0 for a free one.`
  const free = await findFreePort()
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
    // A connection to Redis must not keep the process.
    [{ DATABASE_URL, REDIS_URL: redisUrl, PORT: `${used}` }, inUse('PORT')],
    [{ DATABASE_URL, REDIS_URL: redisUrl, OPS_PORT: `${used}` }, inUse('OPS_PORT')],
    [
      { DATABASE_URL, HOST: '192.0.2.1' },
      /^Cannot listen: .*192\.0\.2\.1.* Set HOST and PORT to where the service/,
    ],
    [
      { DATABASE_URL: locked.url },
      'The database cannot be used: another process holds its lock. Find out which one.',
    ],
    [
      { DATABASE_URL: 'sqlite:/proc/none/store.sqlite' },
      /^Cannot open the database \/proc\/none\/store\.sqlite: ./,
    ],
    [
      { DATABASE_URL: `postgres://keeper:s3cr%65t%40@127.0.0.1:${free}/stock` },
      `Cannot open PostgreSQL at 127.0.0.1:${free}, database stock: connect ECONNREFUSED 127.0.0.1:${free}. ${check}`,
    ],
    [
      { DATABASE_URL: `postgres://keeper@127.0.0.1:${unknownMethod}/stock` },
      /^Cannot open PostgreSQL at .*: SASL: Only .* Check DATABASE_URL/,
    ],
    [
      { DATABASE_URL: `postgres://keeper@127.0.0.1:${silent}/stock` },
      `Cannot open PostgreSQL at 127.0.0.1:${silent}, database stock: Query read timeout. ${check}`,
    ],
  ]
  const usual = { PORT: '0', LOG_LEVEL: 'silent' }
  const starts = failures.map(([env, line]) => {
    const { ended } = startProgram('server/main.ts', [], { env: { ...usual, ...env } })
    return expectFailure(ended, line)
  })
  await Promise.all(starts)
  await unlock()
  await (await startServiceProcess({ DATABASE_URL })).firstKey()
})

test('npm run mock prints its address and a curl line that works', async () => {
  const env = { PORT: '0', LOG_LEVEL: 'silent' }
  const program = startProgram('server/commands/mock.ts', [], { env })
  const [line] = await program.waitForOutput(/curl .+/)
  expect(await runCurl(line)).toMatch(/^\[/)
  await expectSuccess(program.kill('SIGTERM'))
})

test('npm start on a Node.js that is too old says in a line which one it needs', async () => {
  const folder = createTemporaryFolder()
  const old = join(folder, 'old.cjs')
  const versions = '{ ...process.versions, node: "25.9.0" }'
  writeFileSync(old, `Object.defineProperty(process, 'versions', { value: ${versions} })`)
  // As in the script, which may have other options before the file.
  const [, ...options] = packageJson.scripts.start.replace(/^exec /, '').split(' ')
  const started = startCommand(process.execPath, ['--require', old, ...options], {
    cwd: fixtureProject(),
  })
  const [required] = packageJson.engines.node.match(/\d+/) ?? []
  await expectFailure(
    started.ended,
    new RegExp(`^The service needs Node\\.js ${required}; this is `),
  )
})

test('the Node.js that package.json requires is the one that it installs', () => {
  const [installed] = packageJson.devDependencies.node.split('.')
  expect(packageJson.engines.node).toBe(`>=${installed}`)
})
