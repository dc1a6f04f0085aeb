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

/** The beginning of a request whose body never ends. */
function endless(key: string): string {
  const fields = [`Authorization: Bearer ${key}`, 'Content-Type: application/json', 'Host: a']
  return `POST /v1/pets HTTP/1.1\r\n${fields.join('\r\n')}\r\nContent-Length: 50\r\n\r\n{`
}

/** Ends it by a signal; gives the status and how many milliseconds it took. */
async function end({ program }: ServiceProcess, signal: NodeJS.Signals) {
  const from = performance.now()
  const { status, complaint } = await program.kill(signal)
  return { status, complaint, duration: performance.now() - from }
}

test.for(['SIGTERM', 'SIGINT'] as const)(
  '%s ends it with status 0, also with an idle connection, and leaves one file',
  async (signal) => {
    const service = await start()
    const request = `GET /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.key}\r\n\r\n`
    await sendOn(service, request, true)
    const { status, complaint, duration } = await end(service, signal)
    expect({ status, complaint }).toEqual({ status: 0, complaint: '' })
    expect(duration).toBeLessThan(5_000)
    expect(existsSync(service.file)).toBe(true)
    expect(existsSync(`${service.file}-wal`)).toBe(false)
  },
)

test('a request that does not end is cut off after the grace, with status 0', async () => {
  const service = await start({ SHUTDOWN_GRACE_SECONDS: '1' })
  await sendOn(service, endless(service.key), false)
  // So that the service has seen the beginning of the request.
  await fetch(`${service.origin}/livez`)
  const { status, duration } = await end(service, 'SIGTERM')
  expect(status).toBe(0)
  expect(duration).toBeGreaterThanOrEqual(950)
  expect(duration).toBeLessThan(6_000)
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
  // The first signal was heard when no new connection is taken.
  for (let isHeard = false; !isHeard; ) {
    isHeard = await fetch(`${service.origin}/livez`, { headers: { Connection: 'close' } }).then(
      () => false,
      () => true,
    )
  }
  await wait(200)
  const { status, duration } = await end(service, 'SIGINT')
  await closed
  expect(status).toBe(1)
  expect(duration).toBeLessThan(3_000)
})
