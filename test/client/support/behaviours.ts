import type { Socket } from 'node:net'
import type { Behaviour } from './scripted-server.ts'

type Fields = Readonly<Record<string, string>>

/** Answers with a status, header fields and a body; what is not text or bytes is sent as JSON. */
export function answer(status: number, body: unknown = '', fields: Fields = {}): Behaviour {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  const bytes = Buffer.from(isRaw ? body : JSON.stringify(body))
  const type: Fields = isRaw ? {} : { 'Content-Type': 'application/json' }
  const length = { 'Content-Length': `${bytes.length}` }
  return {
    act(socket) {
      // In one go: the second part would wait until the first is confirmed.
      socket.write(
        Buffer.concat([Buffer.from(headOf(status, { ...type, ...length, ...fields })), bytes]),
      )
    },
  }
}

/** Refuses with an error of the contract's form. */
export function refuse(status: number, fields: Fields = {}): Behaviour {
  return answer(status, { code: `code_${status}`, message: `Refused: ${status}.`, status }, fields)
}

/** Answers with a page of no animals. */
export const emptyPage = answer(200, [])

/** Answers as if an animal was created. */
export const created = answer(201, { id: 1, name: 'Rex', categoryId: 7 })

/** Resets the connection at the first byte of the request. */
export const resetBefore: Behaviour = { atOnce: true, act: (socket) => socket.resetAndDestroy() }

/** Resets the connection when the whole request was read. */
export const resetAfter: Behaviour = { act: (socket) => socket.resetAndDestroy() }

/** Never answers. */
export const stall: Behaviour = { act: () => undefined }

/** Announces more than it sends, and then sends nothing more. */
export function stallInBody(fields: Fields = {}): Behaviour {
  return { act: (socket) => socket.write(`${headOf(200, { 'Content-Length': '99', ...fields })}[`) }
}

/** Announces more than it sends, and closes the connection. */
export const truncated: Behaviour = {
  act: (socket) => socket.end(`${headOf(200, { 'Content-Length': '99' })}[`),
}

/** Sends chunks without the last one, and closes the connection. */
export const truncatedChunks: Behaviour = {
  act: (socket) => socket.end(`${headOf(200, { 'Transfer-Encoding': 'chunked' })}2\r\n[]\r\n`),
}

/** Answers with a status and a body that never ends. */
export function answerEndlessly(status: number): Behaviour {
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

/** Does something about a request, and then closes the connection without a word. */
export function closeAfter({ act }: Behaviour): Behaviour {
  return {
    act(socket) {
      act(socket)
      socket.end()
    },
  }
}

function headOf(status: number, fields: Fields): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} Status\r\n${lines.join('')}\r\n`
}
