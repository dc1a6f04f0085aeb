import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openSocket } from '../../helpers/raw.ts'

/** Streams at once, and the lines of each. */
const streams = 200
const lines = 10_000

const program = join(import.meta.dirname, 'support/stream-server.ts')

/** Starts a process that sends streams; resolves once it listens. */
async function start(kind: 'service' | 'bare') {
  const env = { ...process.env, SHUTDOWN_GRACE_SECONDS: '5', SOCKET_TIMEOUT_SECONDS: '600' }
  const child = fork(program, [kind], { execArgv: ['--expose-gc'], env })
  onTestFinished(() => void child.kill('SIGKILL'))
  const { origin, headers } = await ask<{ origin: string; headers: Record<string, string> }>(child)
  return { child, origin, headers, memory: () => ask<NodeJS.MemoryUsage>(child, 'memory') }
}

async function ask<Message>(child: ChildProcess, message?: string): Promise<Message> {
  const received = once(child, 'message')
  if (message !== undefined) {
    child.send(message)
  }
  const [value] = await received
  return value
}

type Server = Awaited<ReturnType<typeof start>>

/** Opens connections that send a request and read nothing but the beginning of the response. */
async function openStalled({ origin, headers }: Server): Promise<readonly Socket[]> {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const request = `GET /v1/0 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${fields.join('')}\r\n`
  const sockets = Array.from({ length: streams }, () => {
    const socket = openSocket(origin)
    socket.write(request)
    return socket
  })
  await Promise.all(sockets.map((socket) => once(socket, 'readable')))
  return sockets
}

/** Reads the rest of a stream; returns how many whole lines it had, and its end. */
async function readRest(socket: Socket) {
  let count = 0
  let end = ''
  for await (const chunk of socket.setEncoding('latin1')) {
    const text: string = end + chunk
    count += text.split('}\n').length - 1
    end = text.slice(text.lastIndexOf('}\n') + 1)
  }
  return { count, end }
}

/** The end of content of which nothing is missing, and of content that was cut off between two lines. */
const whole = '\n\r\n0\r\n\r\n'
const cutOff = '\n\r\n'

/** The memory that a process uses for what it holds, in bytes. */
async function usedBy({ memory }: Server): Promise<number> {
  const { heapUsed, external } = await memory()
  return heapUsed + external
}

test('200 streams to stalled readers take the memory of a bare loop of writes, and nothing is lost', async () => {
  const servers = await Promise.all([start('service'), start('bare')])
  const measure = () => Promise.all(servers.map(usedBy))
  const before = await measure()
  const [ofService = [], ofBare = []] = await Promise.all(servers.map(openStalled))
  const growth = async (): Promise<readonly number[]> => {
    await wait(60_000)
    return (await measure()).map((used, index) => used - (before[index] ?? 0))
  }
  const [first = 0, firstOfBare = 0] = await growth()
  const [second = 0] = await growth()
  expect(first).toBeLessThan(1.3 * firstOfBare)
  expect(second).toBeLessThan(1.05 * first)

  for (const socket of ofBare) {
    socket.destroy()
  }
  const received = await Promise.all(ofService.map(readRest))
  for (const { count, end } of received) {
    expect({ count, end }).toEqual({ count: lines, end: whole })
  }
}, 600_000)

test('SIGTERM ends 200 streams within the grace, without half a line to those that read', async () => {
  const service = await start('service')
  const sockets = await openStalled(service)
  const exited = once(service.child, 'exit')
  service.child.kill('SIGTERM')
  const received = await Promise.all(sockets.slice(0, 20).map(readRest))
  expect(await exited).toEqual([0, null])
  for (const { count, end } of received) {
    expect(end).toBe(count === lines ? whole : cutOff)
  }
}, 300_000)
