import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'

/** A response as it came on a connection. */
type RawResponse = ReturnType<typeof parse>

/** Opens a connection, from an address of this machine, that is closed when the test ends. */
export function openSocket(origin: string, localAddress = '127.0.0.1'): Socket {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port), localAddress })
  onTestFinished(() => void socket.destroy())
  return socket.on('error', () => undefined)
}

/**
 * Sends bytes as they are, until the other side closes; rejects when it resets the connection. Returns
 * the first response, and all bytes. A number between them is a pause, in milliseconds.
 */
export async function sendBytes(origin: string, ...parts: readonly (string | number)[]) {
  const socket = openSocket(origin)
  const [text] = await Promise.all([
    receive(socket),
    once(socket, 'close'),
    writeParts(socket, parts),
  ])
  return { ...parse(text), text }
}

/** Sends bytes on a connection of their own; returns the response as one object. */
export async function askBytes(origin: string, bytes: string) {
  return merge(await sendBytes(origin, bytes))
}

/** A response as one object, of which a test compares a part: status, header fields, and its JSON. */
export interface MergedResponse {
  readonly status: number
  readonly [name: string]: unknown
}

export function merge({ status, headers, body }: RawResponse): MergedResponse {
  const isJson = headers['content-type'] === 'application/json' && body !== ''
  return { ...headers, ...(isJson && JSON.parse(body)), status }
}

/** Returns what comes on a connection until it is closed. */
export async function receive(socket: Socket): Promise<string> {
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk
  })
  await new Promise((closed) => socket.once('close', closed))
  return text
}

async function writeParts(socket: Socket, parts: readonly (string | number)[]): Promise<void> {
  for (const part of parts) {
    if (typeof part === 'number') {
      await wait(part)
    } else if (socket.writable) {
      socket.write(part, 'latin1')
    }
  }
}

/** Parses a response without regard to its length: the rest of the text is its body. */
function parse(text: string) {
  const [head = ''] = text.split('\r\n\r\n', 1)
  const [statusLine = '', ...fields] = head.split('\r\n')
  const headers = fields.map((field) => {
    const at = field.indexOf(':')
    return [field.slice(0, at).toLowerCase(), field.slice(at + 1).trim()] as const
  })
  return {
    status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]),
    headers: Object.fromEntries(headers),
    body: text.slice(head.length + 4),
  }
}

/**
 * Parses what came on a connection, to its last byte: bytes that belong to no response fail the
 * test. What is neither a success nor `100 Continue` has to be an Error object.
 */
export function responsesIn(text: string): RawResponse[] {
  const responses: RawResponse[] = []
  for (let rest = text; rest !== ''; ) {
    const { status, headers, body: content } = parse(rest)
    expect(status, `${JSON.stringify(rest.slice(0, 200))} is a response`).not.toBeNaN()
    const length = Number(headers['content-length'] ?? 0)
    expect(content.length).toBeGreaterThanOrEqual(length)
    const body = Buffer.from(content.slice(0, length), 'latin1').toString()
    if (status >= 300) {
      expect(headers['content-type']).toBe('application/json')
      const error = { code: expect.any(String), message: expect.any(String), status }
      expect(JSON.parse(body)).toMatchObject(error)
    }
    responses.push({ status, headers, body })
    rest = content.slice(length)
  }
  return responses
}

/** The status codes of what came on a connection, in order. */
export function statusesIn(text: string): number[] {
  return responsesIn(text).map(({ status }) => status)
}
