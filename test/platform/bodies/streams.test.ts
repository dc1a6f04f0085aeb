import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { brotliCompressSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import type { UploadedFile } from '../../../server/contract/content.ts'
import type { CallableHandler } from '../../../server/contract/handler.ts'
import { openSocket, receive, responsesIn, statusesIn } from '../../helpers/raw.ts'
import { echo, startWithBody, withWrappedErrors } from './support/body-service.ts'

const bytes = { 'application/octet-stream': {} }
const usual = 'Host: a\r\nContent-Type: application/octet-stream\r\n'

type Service = Awaited<ReturnType<typeof startWithBody>>

/** Returns the head of a request with some fields. */
const head = ({ apiKey }: Service, fields: string) =>
  `POST /v1/body HTTP/1.1\r\n${usual}Authorization: Bearer ${apiKey}\r\n${fields}\r\n`

const toChunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

/** Reads a body for as long as a test asks for it. */
function createReader() {
  const seen: { error?: unknown; size: number } = { size: 0 }
  const read: CallableHandler = async ({ body }, { respond }) => {
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        seen.size += chunk.length
      }
    } catch (error) {
      seen.error = error
      throw error
    }
    return respond(200, { size: seen.size })
  }
  return { seen, read }
}

test('a handler gets an error when the client leaves in the middle, which is not logged', async () => {
  const { seen, read } = createReader()
  const service = await startWithBody(bytes, { handler: read })
  const socket = openSocket(service.origin)
  socket.write(`${head(service, 'Content-Length: 100\r\n')}abc`)
  await expect.poll(() => seen.size).toBe(3)
  socket.destroy()
  await expect.poll(() => seen.error).toBeInstanceOf(Error)
  expect(service.logged).toEqual([])
})

test('chunked content beyond the limit is 413, whatever the handler does with the error of its stream', async () => {
  const { read } = createReader()
  for (const handler of [read, withWrappedErrors(read)]) {
    const service = await startWithBody(bytes, { handler, maxBytes: 10 })
    const socket = openSocket(service.origin)
    socket.write(head(service, 'Transfer-Encoding: chunked\r\n') + toChunk('a'.repeat(11)))
    const [response] = responsesIn(await receive(socket))
    expect(response).toMatchObject({ status: 413, headers: { connection: 'close' } })
    expect(service.logged).toEqual([])
  }
})

test('bytes after the data of a coding are 400 once the handler has read the data', async () => {
  const { seen, read } = createReader()
  const { send } = await startWithBody(bytes, { handler: read })
  const body = new Uint8Array(Buffer.concat([brotliCompressSync('abc'), Buffer.from('x')]))
  const headers = { 'Content-Type': 'application/octet-stream', 'Content-Encoding': 'br' }
  const response = await send('/v1/body', { method: 'POST', headers, body })
  const details = [{ path: '/body', message: 'has more bytes after its br data' }]
  expect([response.status, await response.json()]).toMatchObject([400, { details }])
  expect(seen.size).toBe(3)
})

test('a handler may respond although its stream has failed; the connection is closed then', async () => {
  const { read } = createReader()
  const tolerate: CallableHandler = async (...call) => {
    const [, { respond }] = call
    return Promise.resolve(read(...call)).catch(() => respond(200, {}))
  }
  const service = await startWithBody(bytes, { handler: tolerate, maxBytes: 10 })
  const socket = openSocket(service.origin)
  socket.write(head(service, 'Transfer-Encoding: chunked\r\n') + toChunk('a'.repeat(11)))
  expect(statusesIn(await receive(socket))).toEqual([200])
})

/** Notes the connections of requests, by which the bytes that were read are known. */
function watchSockets(): readonly Socket[] {
  const sockets: Socket[] = []
  const note = (message: unknown) => {
    sockets.push((message as { readonly socket: Socket }).socket)
  }
  subscribe('http.server.request.start', note)
  onTestFinished(() => void unsubscribe('http.server.request.start', note))
  return sockets
}

test.for([
  ['application/octet-stream', 413],
  ['multipart/form-data; boundary=b', 413],
  ['text/plain', 413],
  ['audio/ogg', 415],
])('an upload without an end as %s is %i after little was read', async ([type, status]) => {
  const form = { schema: { properties: { f: {} } } }
  const content = { ...bytes, 'text/plain': {}, 'multipart/form-data': form }
  const service = await startWithBody(content)
  const sockets = watchSockets()
  const socket = openSocket(service.origin)
  const fields = 'Transfer-Encoding: chunked\r\n'
  socket.write(head(service, fields).replace('application/octet-stream', `${type}`))
  socket.write(toChunk('--b\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n'))
  const chunk = toChunk('a'.repeat(100_000))
  let isOpen = true
  const received = receive(socket).finally(() => {
    isOpen = false
  })
  while (isOpen && socket.writable) {
    await Promise.race([received, new Promise((done) => socket.write(chunk, done))])
  }
  const text = await received
  expect(statusesIn(text)).toEqual([status])
  expect(sockets).toHaveLength(1)
  // A request buffers less than 32 KiB before 64 KiB more are read.
  expect(sockets[0]?.bytesRead).toBeLessThan(1_100_000)
})

test('a connection is kept when a handler leaves a little of a body unread', async () => {
  const ignore: CallableHandler = (_input, { respond }) => respond(200, {})
  const readOne: CallableHandler = async ({ body }, { respond }) => {
    for await (const _ of body as AsyncIterable<Buffer>) {
      break
    }
    return respond(200, {})
  }
  for (const handler of [ignore, readOne]) {
    const service = await startWithBody(bytes, { handler })
    const socket = openSocket(service.origin)
    const long = 'a'.repeat(50_000)
    socket.write(head(service, 'Content-Length: 50000\r\n') + long.slice(0, 10))
    await once(socket, 'data')
    socket.write(long.slice(10))
    socket.write(head(service, 'Transfer-Encoding: chunked\r\n') + toChunk(long))
    await once(socket, 'data')
    socket.write(`0\r\n\r\n${head(service, 'Content-Length: 1\r\nConnection: close\r\n')}a`)
    expect(statusesIn(await receive(socket))).toEqual([200])
  }
})

test('a client that waits for 100 Continue gets it when its body is read, and not before', async () => {
  const reject: CallableHandler = (_input, { respond }) => respond(200, {})
  const rows = [
    [reject, [200]],
    [echo, [100, 200]],
  ] as const
  for (const [handler, statuses] of rows) {
    const service = await startWithBody(bytes, { handler })
    const socket = openSocket(service.origin)
    const fields = 'Content-Length: 1\r\nExpect: 100-continue\r\nConnection: close\r\n'
    socket.write(head(service, fields))
    const text = receive(socket)
    await wait(100)
    socket.write('a')
    expect(statusesIn(await text)).toEqual(statuses)
  }
})

test('an upload may take longer than REQUEST_SECONDS while it makes progress; it is 408 if it makes none', async () => {
  const { read } = createReader()
  const service = await startWithBody(bytes, { handler: read }, { REQUEST_SECONDS: '1' })
  const open = (length: number) => {
    const socket = openSocket(service.origin)
    socket.write(head(service, `Content-Length: ${length}\r\nConnection: close\r\n`))
    return socket
  }
  const [progressing, slow] = [open(900_000), open(900_000)]
  const texts = [progressing, slow].map(receive)
  for (let second = 0; second < 6; second++) {
    progressing.write('a'.repeat(150_000))
    slow.write('a')
    await wait(1_000)
  }
  const got = (await Promise.all(texts)).map(statusesIn)
  expect(got).toEqual([[200], [408]])
})

test('a handler reads a file to its end although the client has left', async () => {
  const multipart = { 'multipart/form-data': { schema: { properties: { f: {} } } } }
  const { promise: left, resolve: leave } = Promise.withResolvers<void>()
  let size = 0
  let isCalled = false
  const handler: CallableHandler = async ({ body }, { respond }) => {
    isCalled = true
    await left
    const { f } = body as { readonly f: UploadedFile }
    for await (const chunk of f.stream()) {
      size += chunk.length
    }
    return respond(200, {})
  }
  const service = await startWithBody(multipart, { handler })
  const text = `--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n${'a'.repeat(200_000)}\r\n--b--\r\n`
  const socket = openSocket(service.origin)
  const fields = `Content-Length: ${text.length}\r\n`
  const type = 'multipart/form-data; boundary=b'
  socket.write(head(service, fields).replace('application/octet-stream', type) + text)
  await expect.poll(() => isCalled).toBe(true)
  socket.destroy()
  await once(socket, 'close')
  await wait(100)
  leave()
  await expect.poll(() => size).toBe(200_000)
  expect(service.logged).toEqual([])
})

test('uploads that clients send slowly keep no other request waiting, and are shed before they are read', async () => {
  const { read } = createReader()
  const limits = { REQUESTS_AT_ONCE: '2', OVERLOAD_WAIT_MS: '200' }
  const service = await startWithBody(bytes, { handler: read }, limits)
  for (let count = 0; count < 2; count++) {
    openSocket(service.origin).write(`${head(service, 'Content-Length: 9\r\n')}a`)
  }
  await wait(100)
  const socket = openSocket(service.origin)
  const fields = 'Content-Length: 9\r\nExpect: 100-continue\r\nConnection: close\r\n'
  socket.write(head(service, fields))
  expect(statusesIn(await receive(socket))).toEqual([503])
  expect((await service.send('/livez')).status).toBe(200)
})

test('requests with one idempotency key are compared by the bytes of their files', async () => {
  const multipart = {
    'multipart/form-data': { schema: { properties: { f: {}, t: { type: 'string' } } } },
  }
  const fingerprints: string[] = []
  const handler: CallableHandler = ({ body }, { respond, fingerprint }) => {
    fingerprints.push(fingerprint(body))
    return respond(200, {})
  }
  const service = await startWithBody(multipart, { handler })
  const send = (text: string, t = 'a') => {
    const body = new FormData()
    body.append('t', t)
    body.append('f', new File([text], 'f'))
    return service.send('/v1/body', { method: 'POST', body, headers: { 'Idempotency-Key': 'abc' } })
  }
  for (const [text, t] of [['1'], ['1'], ['2'], ['1', 'b']] as const) {
    expect((await send(text, t)).status).toBe(200)
  }
  const [one, same, ...others] = fingerprints
  expect(same).toBe(one)
  expect(new Set([one, ...others]).size).toBe(3)
})
