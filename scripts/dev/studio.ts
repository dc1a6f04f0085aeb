import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import { transform } from 'rolldown/utils'
import { projectPath } from '../pipeline/project.ts'
import { initialState, type LoopState, verdictOf } from './state.ts'

/** The state that the studio page receives. */
export type StudioState = LoopState & { readonly verdict: ReturnType<typeof verdictOf> }

/** Milliseconds between two events at least: each has the whole state. */
const pause = 25

const files = new Map([
  ['/', ['index.html', 'text/html; charset=utf-8']],
  ['/studio.js', ['studio.ts', 'text/javascript; charset=utf-8']],
  ['/studio.css', ['studio.css', 'text/css; charset=utf-8']],
  ['/icon.svg', ['icon.svg', 'image/svg+xml']],
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
  #host = 'localhost'
  #state = initialState
  #timer: NodeJS.Timeout | undefined

  /** Listens on a port, or on a free one if it is taken; resolves with the URL of the page. */
  async listen(host: string, port: number): Promise<string> {
    this.#host = host
    for (const each of [port, 0]) {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      this.#server.once('error', () => resolve(false)).listen(each, host, () => resolve(true))
      if (await promise) {
        break
      }
    }
    const { address, family, port: actual } = this.#server.address() as AddressInfo
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}/`
  }

  /** Shows another state. */
  show(state: LoopState): void {
    this.#state = state
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      for (const stream of this.#streams) {
        this.#send(stream)
      }
    }, pause)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#server.close()
    this.#server.closeAllConnections()
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
      const [name, type] = files.get(path) ?? []
      if (name === undefined) {
        return void response.writeHead(404, headers).end()
      }
      const text = await readFile(projectPath('scripts/dev/studio', name), 'utf8')
      const content = name.endsWith('.ts') ? (await transform(name, text)).code : text
      response.writeHead(200, { ...headers, 'Content-Type': type }).end(content)
    }
  }

  #send(stream: ServerResponse): void {
    const state: StudioState = { ...this.#state, verdict: verdictOf(this.#state) }
    stream.write(`data: ${JSON.stringify(state)}\n\n`)
  }
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
