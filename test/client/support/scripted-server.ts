import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { type AnimalStoreOptions, createAnimalStore } from '../../../client/index.ts'

type Fields = Readonly<Record<string, string>>

/** Handles a request; nothing else writes to its connection. */
export type Behaviour = (socket: Socket) => void

/** A request as it arrived. */
type ArrivedRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'socket'> & {
  readonly body: string
}

/** Sends bytes as they are, and closes the connection. */
export function sendRaw(text: string): Behaviour {
  return (socket) => socket.end(text)
}

/** Responds with a status, a body and header fields; objects are sent as JSON. */
export function respond(status: number, body: unknown = '', fields: Fields = {}): Behaviour {
  const isRaw = typeof body === 'string'
  const bytes = Buffer.from(isRaw ? body : JSON.stringify(body))
  const type: Fields = isRaw ? {} : { 'Content-Type': 'application/json' }
  const head = headOf(status, { ...type, 'Content-Length': `${bytes.length}`, ...fields })
  return (socket) => socket.write(Buffer.concat([Buffer.from(head), bytes]))
}

/** Responds with an Error object. */
export function respondError(status: number, fields: Fields = {}): Behaviour {
  return respond(status, { code: `code_${status}`, message: `Error ${status}.`, status }, fields)
}

export const emptyPage = respond(200, [])
export const created = respond(201, { id: 1, name: 'Rex', categoryId: 7 })

/** Resets the connection. */
export const reset: Behaviour = (socket) => socket.resetAndDestroy()

/** Never responds. */
export const stall: Behaviour = () => undefined

/** Sends the header, which `onRateLimit` reports, and a byte of a longer body, and then stalls. */
export const stallInBody: Behaviour = (socket) => {
  const limit = { 'X-RateLimit-Limit': '9', 'X-RateLimit-Remaining': '9' }
  socket.write(`${headOf(200, { 'Content-Length': '99', ...limit, 'X-RateLimit-Reset': '9' })}[`)
}

/** Closes the connection before the announced length is reached. */
export const truncated = sendRaw(`${headOf(200, { 'Content-Length': '99' })}[`)

/** Responds with a status and a body that never ends. */
export function respondEndlessly(status: number): Behaviour {
  const chunk = `400\r\n${' '.repeat(1024)}\r\n`
  return (socket) => {
    const pour = (): void => {
      while (socket.writable && socket.write(chunk));
    }
    socket.write(headOf(status, { 'Transfer-Encoding': 'chunked' }))
    socket.on('drain', pour)
    pour()
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
  const server = createServer(async (request) => {
    const { method, url, headers, socket } = request
    const count = requests.push({ method, url, headers, socket, body: await text(request) })
    behaviours[Math.min(count, behaviours.length) - 1]?.(socket)
  })
  server.on('connection', (socket) => socket.on('error', () => undefined))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  return { baseUrl: `http://127.0.0.1:${port}/v1`, requests }
}

/** Creates a client of a scripted server; it waits for a millisecond at most between attempts. */
export async function startScriptedStore(
  behaviours: readonly Behaviour[],
  options: Partial<AnimalStoreOptions> = {},
) {
  const { baseUrl, requests } = await startScriptedServer(...behaviours)
  const usual = { apiKey: 'ask_test', maxRetryDelay: 1, onDeprecation: () => undefined }
  return { store: createAnimalStore({ baseUrl, ...usual, ...options }), requests }
}
