import { once } from 'node:events'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { CallableHandler } from '../../../server/contract/handler.ts'
import { respond } from '../../../server/contract/handler-response.ts'
import { openSocket, receive, sendBytes } from '../../helpers/raw.ts'
import { startServiceOf } from '../../helpers/service.ts'
import { createSmallApi, type SmallOperation } from '../validation/support/small-api.ts'

const text = { schema: { type: 'string', maxLength: 9 } }
const csv = { content: { 'text/csv': text } }
const bytes = { content: { 'application/zip': {} } }

type Handler = (...call: Parameters<CallableHandler>) => ReturnType<CallableHandler>

/** Starts a service with one operation for each handler, at `/v1/0` and so on. */
function start(
  operations: readonly (readonly [response: object, Handler])[],
  environment: Readonly<Record<string, string>> = {},
) {
  const all = operations.map(([response, handler], index) => {
    return { method: 'get', path: `/${index}`, response, handler } as SmallOperation
  })
  return startServiceOf(createSmallApi(all, {}), environment)
}

type Service = Awaited<ReturnType<typeof start>>

/** Opens a connection that sends one request. */
function ask({ origin, apiKey }: Service, path: string) {
  const socket = openSocket(origin)
  const fields = `Host: a\r\nAuthorization: Bearer ${apiKey}\r\n`
  socket.write(`GET ${path} HTTP/1.1\r\n${fields}\r\n`)
  return socket
}

async function* partsOf<Part>(...parts: readonly Part[]) {
  for (const part of parts) {
    await Promise.resolve()
    yield part
  }
}

const webStream = () =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from('a,'))
      controller.enqueue(Buffer.from('b'))
      controller.close()
    },
  })

test('a text and bytes are sent whole with their length, or in parts as they come', async () => {
  const rows: readonly (readonly [string, object, unknown, string, string | null])[] = [
    ['a text', csv, 'é,b', 'é,b', '4'],
    ['parts of a text', csv, partsOf('é,', 'b'), 'é,b', null],
    ['half characters', csv, partsOf('\u{1F600}'.slice(0, 1), '\u{1F600}'.slice(1)), '😀', null],
    ['half a character at the end', csv, partsOf('é', '\u{1F600}'.slice(0, 1)), 'é\uFFFD', null],
    ['no part', csv, partsOf(), '', '0'],
    ['bytes', bytes, Buffer.from('a,b'), 'a,b', '3'],
    ['parts of bytes', bytes, partsOf(Buffer.from('a,'), Buffer.from('b')), 'a,b', null],
    ['a Readable', bytes, Readable.from([Buffer.from('a,b')]), 'a,b', null],
    ['a ReadableStream', bytes, webStream(), 'a,b', null],
  ]
  const service = await start(
    rows.map(([, response, body]) => [response, () => respond(200, body)] as const),
  )
  for (const [index, [what, response, , received, length]] of rows.entries()) {
    const { status, headers, body } = await service.send(`/v1/${index}`).then(async (sent) => {
      return { status: sent.status, headers: sent.headers, body: await sent.text() }
    })
    const isText = response === csv && length !== '0'
    const ofCsv = isText ? 'text/csv; charset=utf-8' : 'text/csv'
    const mediaType = response === csv ? ofCsv : 'application/zip'
    expect
      .soft([status, headers.get('content-type'), body], what)
      .toEqual([200, mediaType, received])
    expect.soft(headers.get('content-length'), what).toBe(length)
  }
  expect(service.logged).toEqual([])
})

test('texts of text/* have the charset utf-8, unless the description names one; bytes and XML have none', async () => {
  const rows: readonly (readonly [declared: string, body: unknown, sent: string])[] = [
    ['text/plain', 'é', 'text/plain; charset=utf-8'],
    ['text/plain', partsOf('é'), 'text/plain; charset=utf-8'],
    ['text/html', 'é', 'text/html; charset=utf-8'],
    ['text/xml', '<a>é</a>', 'text/xml; charset=utf-8'],
    ['text/csv; header=present', 'é', 'text/csv; header=present; charset=utf-8'],
    ['text/plain;charset=US-ASCII', 'e', 'text/plain;charset=US-ASCII'],
    ['text/plain', Buffer.from('e'), 'text/plain'],
    ['text/plain', partsOf(Buffer.from('e')), 'text/plain'],
    ['application/xml', '<a>é</a>', 'application/xml'],
  ]
  const service = await start(
    rows.map(([declared, body]) => {
      return [{ content: { [declared]: {} } }, () => respond(200, body)] as const
    }),
  )
  for (const [index, [declared, , sent]] of rows.entries()) {
    const response = await service.send(`/v1/${index}`)
    expect.soft([response.status, response.headers.get('content-type')]).toEqual([200, sent])
    expect.soft(await response.text(), declared).toMatch(/é|e/)
  }
})

test('a handler states the length of parts; other bytes than that cut the connection off', async () => {
  const withLength = (length: number, ...parts: readonly Buffer[]) =>
    [bytes, () => respond(200, partsOf(...parts), { 'Content-Length': length })] as const
  const [one, two] = [Buffer.from('a,'), Buffer.from('b')]
  const service = await start([
    withLength(3, one, two),
    withLength(2, one, two),
    withLength(4, one),
    withLength(2, one, Buffer.alloc(0)),
    withLength(4, one, two, two, two),
    withLength(1, one),
  ])
  const whole = await service.send('/v1/0')
  expect([whole.headers.get('content-length'), await whole.text()]).toEqual(['3', 'a,b'])
  await expect(service.send('/v1/2').then((sent) => sent.text())).rejects.toThrow()
  const empty = await service.send('/v1/3')
  expect([empty.headers.get('content-length'), await empty.text()]).toEqual(['2', 'a,'])
  // A client takes content of the announced length for complete.
  for (const path of ['/v1/1', '/v1/4']) {
    await expect(service.send(path).then((sent) => sent.text())).rejects.toThrow()
  }
  expect(await receive(ask(service, '/v1/4'))).toMatch(/\r\n\r\na,b$/)
  expect(service.logged.map(({ msg }) => msg)).toEqual(Array(4).fill('stream failed'))
  // Nothing was sent yet.
  expect((await service.send('/v1/5')).status).toBe(500)
})

test('what violates the description is a 500, before anything is sent', async () => {
  const wrong: readonly (readonly [object, unknown, object?])[] = [
    [csv, 'much too long'],
    [csv, { not: 'a text' }],
    [bytes, 7],
    [bytes, Buffer.from('a'), { 'Content-Type': 'image/png' }],
    [{ content: { 'image/*': {} } }, Buffer.from('a')],
  ]
  const service = await start(
    wrong.map(([response, body, headers]) => {
      return [response, () => respond(200, body, headers as Record<string, string>)] as const
    }),
  )
  for (const [index] of wrong.entries()) {
    expect.soft((await service.send(`/v1/${index}`)).status, `${index}`).toBe(500)
  }
})

test('an error before the first part is a 500; a later one is logged, and the connection is closed', async () => {
  async function* fail(...before: readonly string[]) {
    yield* before
    throw new RangeError('no such shelf')
  }
  const service = await start([
    [csv, () => respond(200, fail())],
    [csv, () => respond(200, fail('a,'))],
    [csv, () => respond(200, partsOf<string | number>('a,', 7))],
  ])
  expect((await service.send('/v1/0')).status).toBe(500)
  for (const path of ['/v1/1', '/v1/2']) {
    const received = await receive(ask(service, path))
    // The part before the error has arrived, and the end of the content has not.
    expect(received).toMatch(/\r\n\r\n2\r\na,\r\n$/)
  }
  const message = (msg: string) => expect.objectContaining({ level: 'error', msg })
  const failed = message('stream failed')
  expect(service.logged).toEqual([message('request failed'), failed, failed])
})

test('in HTTP/1.0, where the content ends with the connection, an error resets it', async () => {
  async function* fail() {
    yield 'a,'
    throw new RangeError('no such shelf')
  }
  const service = await start([
    [csv, () => respond(200, fail())],
    [csv, () => respond(200, partsOf('a,', 'b'))],
  ])
  const fields = `Host: a\r\nAuthorization: Bearer ${service.apiKey}\r\n\r\n`
  const request = (path: string) => sendBytes(service.origin, `GET ${path} HTTP/1.0\r\n${fields}`)
  await expect(request('/v1/0')).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect((await request('/v1/1')).body).toBe('a,b')
  expect(service.logged.map(({ msg }) => msg)).toEqual(['stream failed'])
})

test('HEAD gets the headers, and the parts are not read', async () => {
  let reads = 0
  const body = {
    ended: false,
    async *[Symbol.asyncIterator]() {
      reads++
      yield 'a'
    },
  }
  const service = await start([[csv, () => respond(200, body, { 'Content-Length': 1 })]])
  const { status, headers } = await service.send('/v1/0', { method: 'HEAD' })
  expect([status, headers.get('content-length'), reads]).toEqual([200, '1', 0])
  // The next request on the connection is served.
  expect(await (await service.send('/v1/0')).text()).toBe('a')
})

test('when the client leaves, the parts end at once, also while the next one is awaited', async () => {
  const ended: string[] = []
  async function* endless() {
    try {
      for (;;) {
        yield Buffer.alloc(10_000)
      }
    } finally {
      ended.push('iterable')
    }
  }
  const idle = new Readable({ read: () => undefined, destroy: () => void ended.push('Readable') })
  idle.push('a')
  const web = new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from('a')),
    cancel: () => void ended.push('ReadableStream'),
  })
  async function* waiting(signal: AbortSignal | undefined) {
    yield 'a'
    await once(new EventTarget(), 'never', { signal }).catch(() => ended.push('signal'))
  }
  const service = await start([
    [bytes, () => respond(200, endless())],
    [bytes, () => respond(200, idle)],
    [bytes, () => respond(200, web)],
    [csv, (_input, { signal }) => respond(200, waiting(signal))],
  ])
  for (const [index, what] of ['iterable', 'Readable', 'ReadableStream', 'signal'].entries()) {
    const socket = ask(service, `/v1/${index}`)
    await once(socket, 'data')
    socket.destroy()
    await expect.poll(() => ended).toContain(what)
  }
  expect(service.logged).toEqual([])
})

test('a client that does not read holds the parts back', async () => {
  let sent = 0
  async function* endless() {
    for (;;) {
      sent += 100_000
      yield Buffer.alloc(100_000)
    }
  }
  const service = await start([[bytes, () => respond(200, endless())]])
  const socket = ask(service, '/v1/0')
  await once(socket, 'data')
  socket.pause()
  let before = -1
  await expect
    .poll(
      () => {
        const isStill = sent === before
        before = sent
        return isStill
      },
      { interval: 200, timeout: 10_000 },
    )
    .toBe(true)
  // What the buffers of both ends take, and not more.
  expect(sent).toBeLessThan(20e6)
})

test('a stream whose parts are always there lets other requests be processed in between', async () => {
  let inTurn = 0
  let most = 0
  async function* parts() {
    for (let count = 0; count < 1_000; count++) {
      inTurn += 10_000
      most = Math.max(most, inTurn)
      yield Buffer.alloc(10_000)
    }
  }
  const service = await start([[bytes, () => respond(200, parts())]])
  const onTurn = () => {
    inTurn = 0
    timer = setImmediate(onTurn)
  }
  let timer = setImmediate(onTurn)
  const { byteLength } = await (await service.send('/v1/0')).arrayBuffer()
  clearImmediate(timer)
  expect(byteLength).toBe(10_000_000)
  // As much as is written before a client has to read.
  expect(most).toBeLessThan(200_000)
})

test('parts that are not sent are ended: of a response that is invalid, or whose client has left', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const ended: string[] = []
  const open = (name: string) =>
    new Readable({ read: () => undefined, destroy: () => void ended.push(name) })
  const service = await start([
    [bytes, () => respond(200, open('invalid'), { 'Content-Type': 'image/png' })],
    [bytes, () => promise.then(() => respond(200, open('late')))],
  ])
  expect((await service.send('/v1/0')).status).toBe(500)
  await expect.poll(() => ended).toEqual(['invalid'])
  const socket = ask(service, '/v1/1')
  // The handler waits by then.
  await service.send('/v1/0')
  socket.destroy()
  await expect.poll(() => service.requestLines.at(-1)).toMatchObject({ msg: 'request aborted' })
  resolve()
  await expect.poll(() => ended).toContain('late')
})
