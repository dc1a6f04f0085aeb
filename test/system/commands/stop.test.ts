import { once } from 'node:events'
import { existsSync } from 'node:fs'
import type { Socket } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import { startProgram } from '../../helpers/program.ts'
import { openSocket, receive } from '../../helpers/raw.ts'
import { type ServiceProcess, startServiceProcess } from '../../helpers/service-process.ts'

async function start(environment: Readonly<Record<string, string>> = {}) {
  const { url, file, execute } = await createSqliteDatabase()
  const service = await startServiceProcess({ ...environment, DATABASE_URL: url })
  const pets = () => execute('SELECT id, name FROM animals ORDER BY id')
  return { ...service, file, pets, key: await service.firstKey() }
}

/** Sends bytes on a connection of its own, which stays open; resolves once the service has them. */
async function sendOn({ origin }: ServiceProcess, bytes: string): Promise<Socket> {
  const socket = openSocket(origin)
  socket.write(bytes)
  await once(socket, 'connect')
  await fetch(`${origin}/livez`)
  return socket
}

const body = '{"name":"Rex","categoryId":7}'

/** Returns the beginning of a request without its body. */
function endless(key: string, length = 50): string {
  const fields = [`Authorization: Bearer ${key}`, 'Content-Type: application/json', 'Host: a']
  return `POST /v1/pets HTTP/1.1\r\n${fields.join('\r\n')}\r\nContent-Length: ${length}\r\n\r\n{`
}

/** Waits until the service drains, which `/readyz` shows while running requests end. */
async function draining({ origin }: ServiceProcess): Promise<void> {
  for (let status = 200; status !== 503; ) ({ status } = await fetch(`${origin}/readyz`))
}

test.for([
  ['SIGTERM', 1],
  ['SIGINT', 2],
] as const)(
  '%s (%i at the same moment) stops the service with status 0, also with an idle connection, and leaves one file',
  async ([signal, times]) => {
    const service = await start()
    const request = `GET /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.key}\r\n\r\n`
    await sendOn(service, request)
    for (let more = 1; more < times; more++) void service.program.kill(signal)
    const { status, errorOutput } = await service.program.kill(signal)
    expect({ status, errorOutput }).toEqual({ status: 0, errorOutput: '' })
    expect(existsSync(service.file)).toBe(true)
    expect(existsSync(`${service.file}-wal`)).toBe(false)
  },
)

test('a signal during the start ends the process at once, with status 0', async () => {
  const { file, url } = await createSqliteDatabase()
  using other = new DatabaseSync(file)
  other.exec('BEGIN EXCLUSIVE')
  const env = { PORT: '0', DATABASE_URL: url, OVERLOAD_WAIT_MS: '25' }
  const program = startProgram('server/main.ts', [], { env })
  // A line that is written before it waits for the lock.
  await program.waitForOutput(/OVERLOAD_WAIT_MS/)
  const { status, output, errorOutput } = await program.kill('SIGTERM')
  expect({ status, errorOutput }).toEqual({ status: 0, errorOutput: '' })
  expect(output).not.toContain('listens at')
})

test('a request that does not end is cut off after SHUTDOWN_GRACE_SECONDS, with status 0', async () => {
  const service = await start({ SHUTDOWN_GRACE_SECONDS: '1' })
  const socket = await sendOn(service, endless(service.key))
  const received = receive(socket)
  expect(await service.program.kill('SIGTERM')).toMatchObject({ status: 0 })
  // Later it would have got 408.
  expect(await received).toBe('')
})

test('a second signal ends the service at once, with status 1', async () => {
  const service = await start({ SHUTDOWN_GRACE_SECONDS: '60' })
  const socket = await sendOn(service, endless(service.key))
  const closed = receive(socket)
  void service.program.kill('SIGTERM')
  await draining(service)
  await wait(200)
  expect(await service.program.kill('SIGINT')).toMatchObject({ status: 1 })
  await closed
})

test('graceful stop: running requests complete, others get Connection: close, and the log has one line at the level info', async () => {
  const service = await start({ LOG_LEVEL: 'debug' })
  const slow = await sendOn(service, endless(service.key, body.length))
  const ended = service.program.kill('SIGTERM')
  await draining(service)
  await draining(service)
  const other = await service.send('/v1/pets')
  expect([other.status, other.headers.get('connection')]).toEqual([200, 'close'])
  slow.write(body.slice(1))
  expect(`${await once(slow, 'data')}`).toMatch(/^HTTP\/1\.1 201 /)
  const { status, output, errorOutput } = await ended
  expect({ status, errorOutput }).toEqual({ status: 0, errorOutput: '' })
  const lines = [...output.matchAll(/^\{"level".*$/gm)].map(([line]) => JSON.parse(line))
  expect(lines.filter(({ level }) => !['debug', 'info'].includes(level))).toEqual([])
  expect(lines.filter(({ path, status }) => path === '/readyz' && status === 503)).toHaveLength(2)
  const drains = lines.filter(({ msg }) => msg.includes('draining'))
  expect(drains).toMatchObject([{ level: 'info', msg: 'shutdown: draining requests' }])
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
    const slow = await sendOn(service, endless(service.key, body.length))
    void service.program.kill('SIGUSR2')
    await draining(service)
    // Another one, while the service stops.
    void service.program.kill('SIGUSR2')
    slow.write(body.slice(1))
    expect(`${await once(slow, 'data')}`).toMatch(/^HTTP\/1\.1 201 /)
    const { status, errorOutput, output } = await service.program.ended
    expect({ status, errorOutput }).toEqual({ status: 1, errorOutput: '' })
    const lines = output.split('\n').filter((line) => line.includes('"level":"fatal"'))
    expect(lines).toHaveLength(2)
    // An operator needs the class of the error, its message and where it was thrown.
    for (const line of lines) {
      const err = { type: 'RangeError', message: 'no such shelf' }
      const logged = { level: 'fatal', msg: 'uncaught error: shutting down', origin, err }
      expect(JSON.parse(line)).toMatchObject(logged)
      expect(JSON.parse(line).err.stack).toMatch(/^RangeError: no such shelf\n +at /)
    }
    expect(await service.pets()).toEqual([{ id: 1, name: 'Rex' }])
  },
)
