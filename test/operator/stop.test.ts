import { existsSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts'
import { createTemporaryFolder } from '../support/temporary-folder.ts'

async function start(environment: Readonly<Record<string, string>> = {}) {
  const file = join(createTemporaryFolder(), 'store.sqlite')
  const service = await startServiceProcess(file, environment)
  return { ...service, file, key: await service.firstKey() }
}

/** Sends bytes on a connection of its own, which stays open; waits for an answer where asked. */
async function sendOn({ origin }: ServiceProcess, bytes: string, answer: boolean): Promise<Socket> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname).on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  await new Promise((connected) => socket.once('connect', connected))
  socket.write(bytes)
  if (answer) await new Promise((answered) => socket.once('data', answered))
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

/** Waits until a signal was heard, which `/readyz` tells while running requests end. */
async function heard({ origin }: ServiceProcess): Promise<void> {
  for (let status = 200; status !== 503; ) ({ status } = await fetch(`${origin}/readyz`))
}

test.for(['SIGTERM', 'SIGINT'] as const)(
  '%s ends it with status 0, also with an idle connection, and leaves one file',
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

test('a request that does not end is cut off after the grace, with status 0', async () => {
  const service = await start({ SHUTDOWN_GRACE_SECONDS: '1' })
  await sendOn(service, endless(service.key), false)
  // So that the service has seen the beginning of the request.
  await fetch(`${service.origin}/livez`)
  expect((await end(service, 'SIGTERM')).status).toBe(0)
})

test('a signal that comes twice at the same moment is one', async () => {
  const service = await start()
  service.program.kill('SIGINT')
  expect(await end(service, 'SIGINT')).toMatchObject({ status: 0, complaint: '' })
})

test('a second signal ends it at once', async () => {
  const service = await start({ SHUTDOWN_GRACE_SECONDS: '60' })
  const socket = await sendOn(service, endless(service.key), false)
  await fetch(`${service.origin}/livez`)
  const closed = new Promise((isClosed) => socket.once('close', isClosed))
  void service.program.kill('SIGTERM')
  await heard(service)
  await wait(200)
  const { status } = await end(service, 'SIGINT')
  await closed
  expect(status).toBe(1)
})

test('while a request is running, others are served with Connection: close, and then it ends', async () => {
  const service = await start()
  const body = '{"name":"Rex","categoryId":7}'
  const slow = await sendOn(service, endless(service.key, body.length), false)
  await fetch(`${service.origin}/livez`)
  const ended = end(service, 'SIGTERM')
  await heard(service)
  const other = await fetch(`${service.origin}/v1/pets`, {
    headers: { Authorization: `Bearer ${service.key}` },
  })
  expect(other.status).toBe(200)
  expect(other.headers.get('connection')).toBe('close')
  const answer = new Promise<string>((read) => slow.once('data', (data) => read(String(data))))
  slow.write(body.slice(1))
  expect(await answer).toMatch(/^HTTP\/1\.1 201 /)
  expect(await ended).toEqual({ status: 0, complaint: '' })
})

test.for(['/livez', '/readyz'])(
  'probes of %s that go on do not keep it for the grace',
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
