import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import { extname, join } from 'node:path'
import { transform } from 'rolldown/utils'
import { projectPath } from '../pipeline/project.ts'
import { initialState, type LoopState } from './state.ts'
import { readFindings, toStudioState } from './studio-state.ts'

/** The least number of milliseconds between two events: each event has the whole state. */
const eventInterval = 25

const folder = projectPath('scripts/dev/studio')
const contentTypes: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.ts', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
])

const headers = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
}

const plain = { ...headers, 'Content-Type': 'text/plain; charset=utf-8' }

/** Serves the studio page, and the state of the loop as Server-Sent Events. */
export class Studio {
  readonly #server = createServer((request, response) => void this.#respond(request, response))
  readonly #streams = new Set<ServerResponse>()
  readonly #editorUrl: string
  #host = 'localhost'
  #state = initialState
  /** The findings of a run, with lines that are read once. */
  #findings = readFindings(initialState)
  #timer: NodeJS.Timeout | undefined

  /** `editorUrl` is the template of the links that open a file in an editor. */
  constructor(editorUrl: string) {
    this.#editorUrl = editorUrl
  }

  /** Listens on a port, or on a free one if it is taken; resolves with the URL of the page. */
  async listen(host: string, port: number): Promise<string> {
    this.#host = host
    if (!(await this.#tryToListen(host, port))) {
      await this.#tryToListen(host, 0)
    }
    const { address, family, port: actual } = this.#server.address() as AddressInfo
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}/`
  }

  /** Listens on a port; resolves with whether it was free. */
  #tryToListen(host: string, port: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    this.#server.once('error', () => resolve(false))
    this.#server.listen(port, host, () => resolve(true))
    return promise
  }

  /** Shows another state. */
  show(state: LoopState): void {
    if (state.run !== this.#state.run) {
      this.#findings = readFindings(state)
    }
    this.#state = state
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      for (const stream of this.#streams) {
        this.#send(stream)
      }
    }, eventInterval)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#server.close()
    for (const stream of this.#streams) {
      stream.end()
    }
    // A browser reports a stream that is cut off before its end.
    setImmediate(() => this.#server.closeAllConnections())
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '/', method = '' } = request
    if (!isOwnHost(request.headers.host, this.#host)) {
      const text = `This Host is none of the studio page. Open it as localhost, or set HOST to this name.\n`
      return void response.writeHead(403, plain).end(text)
    }
    if (method !== 'GET' && method !== 'HEAD') {
      const text = 'The studio page can only be read.\n'
      return void response.writeHead(405, { ...plain, Allow: 'GET, HEAD' }).end(text)
    }
    const path = url.replace(/\?.*$/s, '')
    if (path === '/events' && method === 'GET') {
      response.writeHead(200, { ...headers, 'Content-Type': 'text/event-stream' })
      this.#streams.add(response)
      response.once('close', () => this.#streams.delete(response))
      this.#send(response)
    } else {
      await respondWithFile(path, response)
    }
  }

  #send(stream: ServerResponse): void {
    const state = toStudioState(this.#state, this.#findings, this.#editorUrl)
    stream.write(`data: ${JSON.stringify(state)}\n\n`)
  }
}

/** Responds with a file of the page; TypeScript is sent without its types. */
async function respondWithFile(path: string, response: ServerResponse): Promise<void> {
  const name = path === '/' ? 'index.html' : path.slice(1)
  const file = join(folder, name)
  const type = contentTypes.get(extname(name))
  if (type === undefined || !/^[a-z-]+\.[a-z]+$/.test(name) || !existsSync(file)) {
    return void response.writeHead(404, headers).end()
  }
  const text = await readFile(file, 'utf8')
  const content = name.endsWith('.ts') ? (await transform(name, text)).code : text
  response.writeHead(200, { ...headers, 'Content-Type': type }).end(content)
}

/**
 * Returns whether a `Host` header names this machine, or the configured host. A page of another site can
 * let its own name lead to this machine (DNS rebinding), and could then read the studio. It cannot do so
 * with an IP address, or with `localhost`.
 */
export function isOwnHost(header: string | undefined, configured: string): boolean {
  const url = URL.parse(`http://${header}`)
  if (header === undefined || url === null) {
    return false
  }
  const { hostname } = url
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  return hostname === 'localhost' || isIP(address) !== 0 || hostname === configured.toLowerCase()
}
