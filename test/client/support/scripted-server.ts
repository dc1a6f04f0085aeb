import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { type AnimalStoreOptions, createAnimalStore } from '../../../client/index.ts'

type Fields = Readonly<Record<string, string>>

/** Handles a request; the behaviour has the connection to itself. */
export interface Behaviour {
  /** Whether it acts before the body of the request is read. */
  readonly atOnce?: boolean
  readonly act: (socket: Socket) => void
}

/** A request as it arrived, without a body if that was not read. */
export interface ArrivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Resolves when the connection of the request is closed. */
  readonly closed: Promise<unknown> | undefined
}

/** Sends bytes as they are, and closes the connection. */
export function sendRaw(text: string): Behaviour {
  return { act: (socket) => socket.end(text) }
}

/** Responds with a status, a body and header fields; objects are sent as JSON. */
export function respond(status: number, body: unknown = '', fields: Fields = {}): Behaviour {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  const bytes = Buffer.from(isRaw ? body : JSON.stringify(body))
  const type: Fields = isRaw ? {} : { 'Content-Type': 'application/json' }
  const head = headOf(status, { ...type, 'Content-Length': `${bytes.length}`, ...fields })
  return { act: (socket) => socket.write(Buffer.concat([Buffer.from(head), bytes])) }
}

/** Responds with an Error object. */
export function respondError(status: number, fields: Fields = {}): Behaviour {
  return respond(status, { code: `code_${status}`, message: `Error ${status}.`, status }, fields)
}

export const emptyPage = respond(200, [])
export const created = respond(201, { id: 1, name: 'Rex', categoryId: 7 })

/** Resets the connection before the request was read, or when the whole request was read. */
export const resetAfter: Behaviour = { act: (socket) => socket.resetAndDestroy() }
export const resetBefore: Behaviour = { ...resetAfter, atOnce: true }

/** Never responds. */
export const stall: Behaviour = { act: () => undefined }

/** Sends the header, which `onRateLimit` reports, and a byte of a longer body, and then stalls. */
export const stallInBody: Behaviour = {
  act(socket) {
    const limit = { 'X-RateLimit-Limit': '9', 'X-RateLimit-Remaining': '9' }
    const fields = { 'Content-Length': '99', ...limit, 'X-RateLimit-Reset': '9' }
    socket.write(`${headOf(200, fields)}[`)
  },
}

/** Closes the connection before the announced length is reached. */
export const truncated = sendRaw(`${headOf(200, { 'Content-Length': '99' })}[`)

/** Responds with a status and a body that never ends. */
export function respondEndlessly(status: number): Behaviour {
  const chunk = `400\r\n${' '.repeat(1024)}\r\n`
  const pour = (socket: Socket): void => {
    while (socket.writable && socket.write(chunk));
  }
  return {
    act(socket) {
      socket.write(headOf(status, { 'Transfer-Encoding': 'chunked' }))
      socket.on('drain', () => pour(socket))
      pour(socket)
    },
  }
}

function headOf(status: number, fields: Fields): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} Status\r\n${lines.join('')}\r\n`
}

/**
 * Starts a server with one behaviour for each request that arrives; the last behaviour handles all
 * that follow. It ends with the test.
 */
export async function startScriptedServer(...behaviours: readonly Behaviour[]) {
  const requests: ArrivedRequest[] = []
  const ends = new WeakMap<Socket, Promise<unknown>>()
  let arrived = 0
  const server = createServer(async (request) => {
    const behaviour = behaviours[Math.min(arrived++, behaviours.length - 1)]
    const { method = '', url: path = '', headers, socket } = request
    const body = behaviour?.atOnce ? '' : await text(request)
    requests.push({ method, path, headers, body, closed: ends.get(socket) })
    // It writes to the connection, and nothing else does.
    behaviour?.act(socket)
  })
  server.on('connection', (socket) => {
    ends.set(socket, new Promise((resolve) => socket.once('close', resolve)))
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.')
  return { baseUrl: `http://127.0.0.1:${address.port}/v1`, requests }
}

/** Creates a client of a scripted server; it waits for a millisecond at most between attempts. */
export async function startScriptedStore(
  behaviours: readonly Behaviour[],
  options: Partial<AnimalStoreOptions> = {},
) {
  const { baseUrl, requests } = await startScriptedServer(...behaviours)
  const store = createAnimalStore({
    baseUrl,
    apiKey: 'ask_test',
    maxRetryDelay: 1,
    onDeprecation: () => undefined,
    ...options,
  })
  return { store, requests }
}
