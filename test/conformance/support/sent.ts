import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { Field } from '../../support/traffic/exchange.ts'
import type { Target } from './target.ts'

/** A request as it is written to the wire. */
export interface Sent {
  readonly method: string
  /** With its query, under the origin. */
  readonly path: string
  /** In `callersKey` the key of whoever calls is put. */
  readonly headers: readonly Field[]
  readonly body: string | undefined
}

export interface Answer {
  readonly status: number
  readonly headers: readonly Field[]
  readonly body: string
}

/** Stands for the key of whoever calls, until a request is sent. */
export const callersKey = '$API_KEY'

/** Sends a request as it stands, also what `fetch` would not send. */
export function send({ origin, agent }: Target, sent: Sent, key: string): Promise<Answer> {
  const { method, path } = sent
  const { hostname, port, host } = new URL(origin)
  const fields = sent.headers.flatMap(({ name, value }) => [
    name,
    value.replaceAll(callersKey, key),
  ])
  const content = Buffer.from(sent.body ?? '')
  // Without a length node:http would send an empty body in chunks.
  const needsLength = content.length > 0 || !['GET', 'HEAD', 'OPTIONS'].includes(method)
  const length = needsLength ? ['Content-Length', String(content.length)] : []
  const headers = ['Host', host, ...fields, ...length]
  return new Promise((resolve, reject) => {
    const request = httpRequest({ agent, hostname, port, method, path, headers })
    request.once('error', reject)
    request.once('response', (response) => receive(response).then(resolve, reject))
    request.end(content)
  })
}

async function receive(response: IncomingMessage): Promise<Answer> {
  const chunks: Uint8Array[] = await response.toArray()
  const { rawHeaders } = response
  const headers = Array.from({ length: rawHeaders.length / 2 }, (_, at) => ({
    name: rawHeaders[2 * at] ?? '',
    value: rawHeaders[2 * at + 1] ?? '',
  }))
  return { status: response.statusCode ?? 0, headers, body: Buffer.concat(chunks).toString() }
}

/** The same request as a line for the shell. */
export function toCurl({ method, path, headers, body }: Sent, origin: string): string {
  const fields = headers.map(({ name, value }) => {
    // The shell is to put the key in.
    const field = `${name}: ${value}`
    return value.includes(callersKey) ? `-H "${field}"` : `-H ${quoted(field)}`
  })
  // Without a length curl waits for the content of an answer to HEAD.
  const how = method === 'HEAD' ? ['--head'] : ['-i', '-X', method]
  const content = body === undefined ? [] : ['--data-binary', quoted(body)]
  return ['curl', '--path-as-is', ...how, ...fields, ...content, quoted(origin + path)].join(' ')
}

function quoted(text: string): string {
  const isPlain = /^[\x20-\x7e]*$/.test(text)
  if (isPlain) return `'${text.replaceAll("'", `'\\''`)}'`
  // What a terminal would not show as it is: in the way of bash and zsh.
  const written = [...Buffer.from(text)].map((byte) =>
    byte < 0x20 || byte > 0x7e || byte === 0x27 || byte === 0x5c
      ? `\\x${byte.toString(16).padStart(2, '0')}`
      : String.fromCharCode(byte),
  )
  return `$'${written.join('')}'`
}
