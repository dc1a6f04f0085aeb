import { connect } from 'node:net'
import { pick } from './kind.ts'
import type { Answer } from './sender.ts'

const host = 'Host: a\r\n'
const post = `POST /v1/pets HTTP/1.1\r\n${host}`

/** What no HTTP client would send. */
const requests = [
  'nonsense\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00',
  'GET /v1/pets HTTP/1.1\r\n\r\n',
  `GET /v1/pets HTTP/1.1\r\n${host}Host: b\r\n\r\n`,
  `${post}Content-Length: 1\r\nContent-Length: 2\r\n\r\na`,
  `${post}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
  `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`,
  `GET / HTTP/1.1\r\n${host}X: ${'a'.repeat(20_000)}\r\n\r\n`,
  `GET /v1/pets HTTP/1.1\r\n${host}\r\n`.repeat(20),
] as const

/** Sends such bytes, or the beginning of them, and gives the first answer to them. */
export function sendWildBytes(port: number, random: () => number): Promise<Answer> {
  const bytes = pick(random, requests)
  const isCutOff = random() < 0.3
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.setEncoding('latin1').on('data', (part) => {
      text += part
    })
    socket.on('error', () => undefined).on('close', () => resolve(firstAnswer(text)))
    const sent = isCutOff ? bytes.slice(0, random() * bytes.length) : bytes
    socket.write(sent, 'latin1', () => (isCutOff ? socket.destroy() : socket.end()))
  })
}

function firstAnswer(text: string): Answer {
  const [, status] = /^HTTP\/1\.1 (\d+)/.exec(text) ?? []
  const [, length] = /^content-length: (\d+)\r$/im.exec(text) ?? []
  const from = text.indexOf('\r\n\r\n') + 4
  const body = text.slice(from, from + Number(length))
  const isWhole = status !== undefined && body.length === Number(length)
  return isWhole ? { status: Number(status), text: body } : { status: 'closed', text: '' }
}
