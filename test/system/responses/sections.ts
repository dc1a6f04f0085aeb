import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { startProgram } from '../../helpers/program.ts'
import { receive } from '../../helpers/raw.ts'
import keptStores from '../kept-store/kept-store.json' with { type: 'json' }

const keptStore = resolve(import.meta.dirname, '../kept-store')
const { keys } = keptStores.sqlite

/** Requests to one configuration of the service, in their order. */
export interface Section {
  readonly name: string
  /** Which program serves, relative to the checkout. */
  readonly program: string
  readonly env: Readonly<Record<string, string>>
  /** Bytes as latin1; `{key:NAME}` stands for an API key of the kept store. */
  readonly requests: { readonly request: string; response: string }[]
}

/**
 * Starts the service of a checkout on a copy of the kept store, sends every request on a connection
 * of its own, and returns the responses with what differs between runs masked.
 */
export async function sendSection(checkout: string, section: Section): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-responses-'))
  for (const name of ['store.sqlite', 'store.sqlite-wal']) {
    writeFileSync(join(folder, name), gunzipSync(readFileSync(join(keptStore, `${name}.gz`))))
  }
  const DATABASE_URL = `sqlite:${join(folder, 'store.sqlite')}`
  const usual = { PORT: '0', LOG_LEVEL: 'silent', NODE_ENV: 'production' }
  const env = { ...usual, DATABASE_URL, ...section.env }
  const options = { cwd: checkout, env, isShared: true }
  const program = startProgram(join(checkout, section.program), [], options)
  try {
    const [, port] = await program.waitForOutput(/http:\/\/[^:/\s]+:(\d+)/)
    const responses: string[] = []
    for (const { request } of section.requests) {
      const bytes = request.replaceAll(
        /\{key:(\w+)\}/g,
        (_, name: keyof typeof keys) => keys[name].key,
      )
      const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined)
      socket.setTimeout(10_000, () => socket.destroy()).write(bytes, 'latin1')
      responses.push(mask(await receive(socket), bytes))
    }
    return responses
  } finally {
    await program.kill('SIGKILL')
    rmSync(folder, { recursive: true })
  }
}

/** The header fields that depend on when a request is sent. */
const timeDependent = /^(date|retry-after|x-ratelimit-(?:remaining|reset)): .*$/

function mask(response: string, request: string): string {
  const parts = response.split(/(?=HTTP\/1\.1 \d{3} )/)
  return parts.map((part) => maskOne(part, request)).join('\n---\n')
}

// Header fields are sorted by name: their order means nothing (RFC 9110, section 5.3).
function maskOne(response: string, request: string): string {
  const [head = '', ...rest] = response.split('\r\n\r\n')
  const [statusLine, ...fields] = head.split('\r\n')
  const lines = fields.map((field) => {
    const [name = '', ...value] = field.split(':')
    const line = `${name.toLowerCase()}:${value.join(':')}`
    if (!line.startsWith('x-request-id: ')) return line.replace(timeDependent, '$1: *')
    return request.includes(line.slice(14)) ? line : 'x-request-id: *'
  })
  const body = rest.join('\r\n\r\n').replaceAll(/Retry in \d+ seconds?/g, 'Retry in *')
  return [statusLine, ...lines.sort(), '', body].join('\n')
}
