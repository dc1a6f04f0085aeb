import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import keptStores from '../kept-store/kept-store.json' with { type: 'json' }

/** The folder of this checkout. */
export const project = resolve(import.meta.dirname, '../../..')

const keptStore = resolve(import.meta.dirname, '../kept-store')
const { keys } = keptStores.sqlite

/** Requests to one configuration of the service, in their order. */
export interface Section {
  readonly name: string
  /** Which program serves, relative to the checkout. */
  readonly program: string
  readonly env: Readonly<Record<string, string>>
  /** Bytes as latin1; `{key:NAME}` stands for an API key of the kept store. */
  readonly exchanges: { readonly request: string; response: string }[]
}

/**
 * Starts the service of a checkout on a copy of the kept store, sends every request on a connection
 * of its own, and returns the responses with what differs between runs masked.
 */
export async function sendSection(checkout: string, section: Section): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-responses-'))
  const child = start(checkout, section, folder)
  try {
    const port = await portOf(child)
    const responses: string[] = []
    for (const { request } of section.exchanges) {
      const bytes = request.replaceAll(
        /\{key:(\w+)\}/g,
        (_, name: keyof typeof keys) => keys[name].key,
      )
      responses.push(mask(await exchange(port, bytes), bytes))
    }
    return responses
  } finally {
    const ended = new Promise((settle) => child.once('close', settle))
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true })
  }
}

function start(checkout: string, { program, env }: Section, folder: string): ChildProcess {
  for (const name of ['store.sqlite', 'store.sqlite-wal']) {
    writeFileSync(join(folder, name), gunzipSync(readFileSync(join(keptStore, `${name}.gz`))))
  }
  const database = `sqlite:${join(folder, 'store.sqlite')}`
  return spawn(process.execPath, [join(checkout, program)], {
    cwd: checkout,
    env: {
      ...{ PATH: process.env['PATH'], PORT: '0', OPS_PORT: 'off', DATABASE_URL: database },
      ...{ LOG_LEVEL: 'silent', NODE_ENV: 'production' },
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

function portOf(child: ChildProcess): Promise<number> {
  let output = ''
  return new Promise((settle, reject) => {
    child.stdout?.on('data', (chunk) => {
      output += chunk
      const port = /http:\/\/[^:/\s]+:(\d+)/.exec(output)?.[1]
      if (port !== undefined) settle(Number(port))
    })
    child.once('close', () => reject(new Error(`The service did not listen: ${output}`)))
  })
}

/** Sends bytes and returns everything that comes back until the connection is closed. */
function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((settle) => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    const end = (note = '') => {
      socket.destroy()
      settle(Buffer.concat(chunks).toString('latin1') + note)
    }
    socket.setTimeout(10_000, () => end('(no end)'))
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.once('error', () => undefined)
    socket.once('close', () => end())
    socket.write(bytes, 'latin1')
  })
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
