import { once } from 'node:events'
import { createServer, IncomingMessage, type RequestListener, ServerResponse } from 'node:http'
import { type AddressInfo, connect, Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createGate } from '../../server/ops/overload/gate.ts'
import { createUnread, mostUnread } from '../../server/ops/unread.ts'
import { createKeptLog } from '../support/kept-log.ts'

/** More than the system keeps for a connection. */
const size = 20_000_000

interface Reader {
  readonly isClosed: () => boolean
  /** Takes all of the answer; gives how many bytes came. */
  readonly read: () => Promise<number>
}

/** Serves answers of that size, and bounds what waits of them in memory; gives what asks for one. */
function serveLarge(most: number): Promise<() => Promise<Reader>> {
  const unread = createUnread(() => performance.now(), most)
  return serve((request, response) => {
    response.on('prefinish', () => unread.add(response))
    answerLargely(request, response)
  })
}

const answerLargely: RequestListener = (_request, response) => {
  response.end(Buffer.alloc(size))
}

async function serve(listener: RequestListener): Promise<() => Promise<Reader>> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close().closeAllConnections())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return async function ask() {
    const asked = once(server, 'request')
    const socket = connect(port, '127.0.0.1').pause()
    socket.on('error', () => undefined)
    onTestFinished(() => void socket.destroy())
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    const [request] = await asked
    let bytes = 0
    socket.on('data', (chunk) => {
      bytes += chunk.length
    })
    socket.pause()
    return {
      isClosed: () => request.socket.destroyed,
      async read() {
        socket.resume()
        await expect.poll(() => bytes).toBeGreaterThan(size)
        return bytes
      },
    }
  }
}

test('where answers that nobody takes are too much for memory, the one goes that has waited longest', async () => {
  const ask = await serveLarge(2.5 * size)
  const [first, second, third] = [await ask(), await ask(), await ask()]
  await expect.poll(first.isClosed).toBe(true)
  expect([second.isClosed(), third.isClosed()]).toEqual([false, false])
  expect(await third.read()).toBeGreaterThan(size)
})

test('whatever passes the gate is bounded so', async () => {
  const { enter } = createGate({
    ...{ app: answerLargely, refuse: answerLargely, spared: [], log: createKeptLog('info').log },
    bearable: { overloadWaitMs: 1_000, requestsAtOnce: 100 },
  })
  const ask = await serve(enter)
  const first = await ask()
  for (let bytes = size; bytes <= mostUnread; bytes += size) await ask()
  await expect.poll(first.isClosed).toBe(true)
})

test('whoever takes an answer, however large it is, gets all of it', async () => {
  const ask = await serveLarge(size / 2)
  const { read } = await ask()
  expect(await read()).toBeGreaterThan(size)
})

test('where no answer waits nobody looks', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { add } = createUnread(() => performance.now())
  const make = (bytes: number) => {
    const response = new ServerResponse(new IncomingMessage(new Socket()))
    response.write(Buffer.alloc(bytes))
    add(response)
    return response
  }
  make(10_000)
  expect(vi.getTimerCount()).toBe(0)
  const response = make(20_000)
  vi.advanceTimersByTime(1_000)
  expect(vi.getTimerCount()).toBe(1)
  response.emit('close')
  vi.advanceTimersByTime(1_000)
  expect(vi.getTimerCount()).toBe(0)
})
