import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import { openAt } from '../../helpers/databases/test-database.ts'
import { tool as body, tools } from '../../helpers/fixture-service.ts'
import { findFreePort, listen } from '../../helpers/free-port.ts'
import { expectSuccess } from '../../helpers/npm-script.ts'
import { startProgram } from '../../helpers/program.ts'
import { openSocket, receive } from '../../helpers/raw.ts'
import { startServiceProcess } from '../../helpers/service-process.ts'

async function start(environment: Readonly<Record<string, string>> = {}) {
  const { url, file, execute } = await createSqliteDatabase()
  const service = await startServiceProcess({ ...environment, DATABASE_URL: url })
  const { origin } = service
  const authorization = `Authorization: Bearer ${await service.firstKey()}`
  const type = 'Content-Type: application/json'
  const head = `POST ${tools} HTTP/1.1\r\nHost: a\r\n${authorization}\r\n${type}\r\n`
  return {
    ...service,
    file,
    stored: () => execute('SELECT id, document FROM tools ORDER BY id'),
    /** Sends a create but for the end of its body; resolves once the service has it. */
    async beginCreate(): Promise<Socket> {
      const socket = openSocket(origin)
      socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, -1)}`)
      await once(socket, 'connect')
      // The connection of this request is idle from then on.
      await fetch(`${origin}/livez`)
      return socket
    },
    /** Waits until the service drains, which `/readyz` shows while running requests end. */
    async draining(): Promise<void> {
      for (let status = 200; status !== 503; ) {
        ;({ status } = await fetch(`${origin}/readyz`))
      }
    },
  }
}

/** Sends the rest of a create, which must be done. */
async function endCreate(socket: Socket): Promise<void> {
  socket.write(body.slice(-1))
  expect(`${await once(socket, 'data')}`).toMatch(/^HTTP\/1\.1 201 /)
}

test('SIGINT, twice at the same moment, stops the service with status 0, also with an idle connection, and leaves one file', async () => {
  const { program, origin, file } = await start()
  await fetch(`${origin}/livez`)
  void program.kill('SIGINT')
  await expectSuccess(program.kill('SIGINT'))
  expect(existsSync(file)).toBe(true)
  expect(existsSync(`${file}-wal`)).toBe(false)
})

test('a signal during the start ends the process at once, with status 0', async () => {
  // A database that accepts connections and does not respond.
  const database = createServer()
  const port = await listen(database)
  const env = { PORT: '0', DATABASE_URL: `postgres://keeper@127.0.0.1:${port}/tools` }
  const program = startProgram('server/main.ts', [], { env })
  await once(database, 'connection')
  expect(await expectSuccess(program.kill('SIGTERM'))).not.toContain('listens at')
})

test('a request that does not end is cut off after SHUTDOWN_GRACE_SECONDS, with status 0', async () => {
  const service = await start({ SHUTDOWN_GRACE_SECONDS: '1', LOG_LEVEL: 'info' })
  const received = receive(await service.beginCreate())
  const output = await expectSuccess(service.program.kill('SIGTERM'))
  // Later it would have got 408.
  expect(await received).toBe('')
  expect(output).toMatch(/"method":"POST".*"abortedBy":"shutdown".*"msg":"request aborted"/)
})

test('a second signal ends the service at once, with status 1', async () => {
  const service = await start({ SHUTDOWN_GRACE_SECONDS: '60' })
  const closed = receive(await service.beginCreate())
  void service.program.kill('SIGTERM')
  await service.draining()
  // For a tenth of a second it would be the same signal, which npm passes on once more.
  await wait(200)
  expect(await service.program.kill('SIGINT')).toMatchObject({ status: 1 })
  await closed
})

test('graceful stop by SIGTERM: running requests complete, others get Connection: close, and the log has one line at the level info', async () => {
  const service = await start({ LOG_LEVEL: 'debug' })
  const slow = await service.beginCreate()
  const ended = service.program.kill('SIGTERM')
  await service.draining()
  await service.draining()
  const other = await service.send(tools)
  expect([other.status, other.headers.get('connection')]).toEqual([200, 'close'])
  await endCreate(slow)
  const output = await expectSuccess(ended)
  const lines = [...output.matchAll(/^\{"level".*$/gm)].map(
    ([line]): Record<string, unknown> => JSON.parse(line),
  )
  expect(lines.filter(({ level }) => level !== 'debug' && level !== 'info')).toEqual([])
  expect(lines.filter(({ path, status }) => path === '/readyz' && status === 503)).toHaveLength(2)
  const drains = lines.filter(({ msg }) => String(msg).includes('draining'))
  expect(drains).toMatchObject([{ level: 'info', msg: 'shutdown: draining requests' }])
})

test('behind a proxy, a request that arrives two seconds after SIGTERM gets its response', async () => {
  const service = await start({ TRUST_PROXY: '1' })
  const ended = service.program.kill('SIGTERM')
  await service.draining()
  await wait(2_000)
  const late = await service.send(tools)
  expect([late.status, late.headers.get('connection')]).toEqual([200, 'close'])
  await expectSuccess(ended)
})

test('a start that fails once the service listens drains it, also when SIGTERM arrives meanwhile', async () => {
  const database = await createSqliteDatabase()
  await (await openAt(database)).close()
  await database.execute(`CREATE TRIGGER no_key BEFORE INSERT ON api_keys
    BEGIN SELECT RAISE(ABORT, 'no key today'); END`)
  const port = await findFreePort()
  const env = { PORT: `${port}`, DATABASE_URL: database.url, TRUST_PROXY: '1', LOG_LEVEL: 'silent' }
  const program = startProgram('server/main.ts', [], { env })
  const origin = `http://127.0.0.1:${port}`
  const readiness = () => fetch(`${origin}/readyz`).then(({ status }) => status, String)
  await expect.poll(readiness).toBe(503)

  const ended = program.kill('SIGTERM')
  await wait(1_000)
  expect((await fetch(origin + tools)).status).toBe(401)
  const { status, errorOutput } = await ended
  expect([status, errorOutput]).toEqual([1, expect.stringContaining('no key today')])
})

/** Errors in the code. */
const errors = [
  ['a timer throws', `setTimeout(() => { throw ERROR }, 1)`, 'uncaughtException'],
  ['a promise rejects', `Promise.reject(ERROR)`, 'unhandledRejection'],
] as const

test.for(errors)(
  'when %s the running request gets its response, the error is logged, and the process ends with status 1',
  async ([, statement, origin]) => {
    const code = statement.replace('ERROR', `new RangeError('no such shelf')`)
    const onSignal = `process.on('SIGUSR2', () => { ${code} })`
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(onSignal)}`
    const service = await start({ LOG_LEVEL: 'fatal', NODE_OPTIONS })
    const slow = await service.beginCreate()
    void service.program.kill('SIGUSR2')
    await service.draining()
    // Another one, while the service stops.
    void service.program.kill('SIGUSR2')
    await endCreate(slow)
    const { status, errorOutput, output } = await service.program.ended
    expect({ status, errorOutput }).toEqual({ status: 1, errorOutput: '' })
    const lines = output.split('\n').filter((line) => line.includes('"level":"fatal"'))
    // An operator needs the class of the error, its message and where it was thrown.
    const stack = expect.stringMatching(/^RangeError: no such shelf\n +at /)
    const err = { type: 'RangeError', message: 'no such shelf', stack }
    const logged = { level: 'fatal', msg: 'uncaught error: shutting down', origin, err }
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([logged, logged])
    expect(await service.stored()).toEqual([{ id: 1, document: body }])
  },
)
