import { existsSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startClients } from '../../helpers/keep-alive-clients.ts'
import { type ServiceProcess, startServiceProcess } from '../../helpers/service-process.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'

async function start(environment: Readonly<Record<string, string>> = {}) {
  const file = join(createTemporaryFolder(), 'store.sqlite')
  const service = await startServiceProcess(file, environment)
  return { ...service, file, key: await service.firstKey() }
}

/** Sends bytes on a connection of its own, which stays open; may wait for a response. */
async function sendOn(
  { origin }: ServiceProcess,
  bytes: string,
  isWaiting: boolean,
): Promise<Socket> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname).on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  await new Promise((connected) => socket.once('connect', connected))
  socket.write(bytes)
  if (isWaiting) await new Promise((received) => socket.once('data', received))
  return socket
}

/** The beginning of a request whose body is still to come. */
function endless(key: string, length = 50): string {
  const fields = [`Authorization: Bearer ${key}`, 'Content-Type: application/json', 'Host: a']
  return `POST /v1/pets HTTP/1.1\r\n${fields.join('\r\n')}\r\nContent-Length: ${length}\r\n\r\n{`
}

/** Ends it by a signal; gives the status and what it said. */
async function end({ program }: ServiceProcess, signal: NodeJS.Signals) {
  const { status, complaint } = await program.kill(signal)
  return { status, complaint }
}

/** Waits until the service drains, which `/readyz` shows while running requests end. */
async function draining({ origin }: ServiceProcess): Promise<void> {
  for (let status = 200; status !== 503; ) ({ status } = await fetch(`${origin}/readyz`))
}

test.for(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s stops the service with status 0, also with an idle connection, and leaves one file',
  async (signal) => {
    const service = await start()
    const request = `GET /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.key}\r\n\r\n`
    await sendOn(service, request, true)
    const { status, complaint } = await end(service, signal)
    expect({ status, complaint }).toEqual({ status: 0, complaint: '' })
    expect(existsSync(service.file)).toBe(true)
    expect(existsSync(`${service.file}-wal`)).toBe(false)
  },
)

test('a request that does not end is cut off after SHUTDOWN_GRACE_SECONDS, with status 0', async () => {
  const service = await start({ SHUTDOWN_GRACE_SECONDS: '1' })
  await sendOn(service, endless(service.key), false)
  // So that the service has seen the beginning of the request.
  await fetch(`${service.origin}/livez`)
  expect((await end(service, 'SIGTERM')).status).toBe(0)
})

test('two signals at the same moment count as one', async () => {
  const service = await start()
  service.program.kill('SIGINT')
  expect(await end(service, 'SIGINT')).toMatchObject({ status: 0, complaint: '' })
})

test('a second signal ends the service at once, with status 1', async () => {
  const service = await start({ SHUTDOWN_GRACE_SECONDS: '60' })
  const socket = await sendOn(service, endless(service.key), false)
  await fetch(`${service.origin}/livez`)
  const closed = new Promise((isClosed) => socket.once('close', isClosed))
  void service.program.kill('SIGTERM')
  await draining(service)
  await wait(200)
  const { status } = await end(service, 'SIGINT')
  await closed
  expect(status).toBe(1)
})

test('graceful stop: running requests complete, others get Connection: close, then the service ends', async () => {
  const service = await start()
  const body = '{"name":"Rex","categoryId":7}'
  const slow = await sendOn(service, endless(service.key, body.length), false)
  await fetch(`${service.origin}/livez`)
  const ended = end(service, 'SIGTERM')
  await draining(service)
  const other = await fetch(`${service.origin}/v1/pets`, {
    headers: { Authorization: `Bearer ${service.key}` },
  })
  expect(other.status).toBe(200)
  expect(other.headers.get('connection')).toBe('close')
  const response = new Promise<string>((read) => slow.once('data', (data) => read(String(data))))
  slow.write(body.slice(1))
  expect(await response).toMatch(/^HTTP\/1\.1 201 /)
  expect(await ended).toEqual({ status: 0, complaint: '' })
})

test.for(['/livez', '/readyz'])(
  'probes of %s that continue do not delay a graceful stop',
  async (path) => {
    // Longer than a test may take.
    const service = await start({ SHUTDOWN_GRACE_SECONDS: '60' })
    const over = new AbortController()
    const probing = (async () => {
      while (!over.signal.aborted) {
        await fetch(`${service.origin}${path}?from=balancer`).catch(() => undefined)
        await wait(100)
      }
    })()
    await wait(300)
    expect(await end(service, 'SIGTERM')).toEqual({ status: 0, complaint: '' })
    over.abort()
    await probing
  },
)

test('a graceful stop logs that it drains, once at the level info, and no warning or error', async () => {
  const service = await start({ LOG_LEVEL: 'debug' })
  const slow = await sendOn(service, endless(service.key, 2), false)
  await fetch(`${service.origin}/livez`)
  const ended = service.program.kill('SIGTERM')
  await draining(service)
  await draining(service)
  slow.write('}')
  const { status, output } = await ended
  expect(status).toBe(0)
  const lines = [...output.matchAll(/^\{"level".*$/gm)].map(([line]) => JSON.parse(line))
  expect(lines.filter(({ level }) => !['debug', 'info'].includes(level))).toEqual([])
  expect(lines.filter(({ path, status }) => path === '/readyz' && status === 503)).toHaveLength(2)
  const drains = lines.filter(({ msg }) => msg.includes('draining'))
  expect(drains).toMatchObject([{ level: 'info', msg: 'shutdown: draining requests' }])
})

test('graceful stop with 200 keep-alive connections completes every response, with status 0', async () => {
  // A stop that waited for the grace would take longer than a test may.
  const service = await start({ SHUTDOWN_GRACE_SECONDS: '100', RATE_LIMITS: 'off' })
  const clients = startClients(service.origin, service.key, { busy: 100, idle: 100 })
  await clients.everyoneAnswered()

  const ended = service.program.kill('SIGTERM')
  const seen = await clients.closed()
  expect(await ended).toMatchObject({ status: 0, complaint: '' })

  expect({ ...seen, created: 0 }).toEqual({ cutOff: 0, unanswered: 0, created: 0, last: 100 })
  const database = new DatabaseSync(service.file, { readOnly: true })
  const kept = database.prepare('SELECT count(*) AS number FROM animals').get()
  database.close()
  expect(kept).toEqual({ number: seen.created })
})
