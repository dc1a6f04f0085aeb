import { createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { type AnimalStoreOptions, createAnimalStore } from '../../../client/index.ts'

type Fields = Readonly<Record<string, string>>

/** Handles a request; the behaviour has the connection to itself. */
export interface Behaviour {
  /** Whether it acts on the first byte, without reading the rest of the request. */
  readonly atOnce?: boolean
  readonly act: (socket: Socket) => void
}

/** A request as it arrived; empty if it was not read. */
export interface ArrivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Fields
  readonly body: string
  /** Resolves when the connection of the request is closed. */
  readonly closed: Promise<void>
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

/** Resets the connection at the first byte of the request. */
export const resetBefore: Behaviour = { atOnce: true, act: (socket) => socket.resetAndDestroy() }

/** Resets the connection when the whole request was read. */
export const resetAfter: Behaviour = { act: (socket) => socket.resetAndDestroy() }

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
  const origin = await serveSockets((socket) => {
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    let received = ''
    socket.setEncoding('latin1').on('data', (chunk) => {
      received += chunk
      const behaviour = behaviours[Math.min(requests.length, behaviours.length - 1)]
      const request = behaviour?.atOnce ? unread : readRequest(received)
      if (behaviour === undefined || request === undefined) return
      received = ''
      requests.push({ ...request, closed })
      behaviour.act(socket)
    })
  })
  return { baseUrl: `${origin}/v1`, requests }
}

const unread = { method: '', path: '', headers: {}, body: '' }

// The client sends whole requests with a length, one at a time.
function readRequest(text: string): Omit<ArrivedRequest, 'closed'> | undefined {
  const [head = '', body] = text.split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  const [method = '', path = ''] = line.split(' ')
  const headers: Fields = Object.fromEntries(
    fields.map((field) => {
      const [, name = '', value = ''] = /^(.*?): *(.*)$/.exec(field) ?? []
      return [name.toLowerCase(), value]
    }),
  )
  const isWhole = body !== undefined && body.length >= Number(headers['content-length'] ?? 0)
  return isWhole ? { method, path, headers, body } : undefined
}

/** Creates a client of a scripted server; it waits for a millisecond at most between attempts. */
export async function startScriptedStore(
  behaviours: readonly Behaviour[],
  options: Partial<AnimalStoreOptions> = {},
) {
  const { baseUrl, requests } = await startScriptedServer(...behaviours)
  const store = createAnimalStore({
    ...{ baseUrl, apiKey: 'ask_test', retry: { backoff: 1 }, onDeprecation: () => undefined },
    ...options,
  })
  return { store, requests }
}

/** Serves bare connections until the test ends; returns the origin. */
export async function serveSockets(serve: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
    serve(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.')
  return `http://127.0.0.1:${address.port}`
}
