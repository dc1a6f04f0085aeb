import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { projectPath } from '../pipeline/project.ts'
import type { LoopStateHolder } from './loop-state-holder.ts'

/** Milliseconds between two states, at least: each carries everything. */
const pause = 25

const folder = projectPath('scripts/dev/studio')

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

const policy = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "img-src 'self' data:", "font-src 'self'"],
  // The docs of the service stand in a frame beside the panels.
  ...["connect-src 'self'", "frame-src 'self'", "frame-ancestors 'none'"],
  ...["base-uri 'none'", "form-action 'none'"],
].join('; ')

const always = {
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
}

/** Whether a request is for the designer's page, and not for the service. */
export function isForStudio({ url = '' }: IncomingMessage): boolean {
  return /^\/studio(?:[/?]|$)/.test(url)
}

/** Makes what serves the designer's page: its files, and the state of the loop as it changes. */
export function createStudio(state: LoopStateHolder) {
  const streams = new Set<ServerResponse>()

  return {
    async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const path = (request.url ?? '').replace(/\?.*$/s, '')
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        return write(response, 405, 'text/plain', 'Only GET and HEAD.\n', { Allow: 'GET, HEAD' })
      }
      if (path === '/studio/events') return stream(state, streams, response)
      const name = path.replace(/^\/studio\/?/, '') || 'index.html'
      const type = mediaTypes[extname(name)]
      const content = /^[\w.-]+$/.test(name) && type !== undefined ? await read(name) : undefined
      if (content === undefined)
        return write(response, 404, 'text/plain', 'There is no such page.\n')
      write(response, 200, type ?? '', request.method === 'HEAD' ? undefined : content)
    },
    /** Ends what would keep the loop from ending. */
    stop(): void {
      for (const response of streams) response.end()
    },
  }
}

/** Server-Sent Events: the whole state, now and at every change. */
function stream(state: LoopStateHolder, streams: Set<ServerResponse>, response: ServerResponse) {
  response.writeHead(200, { ...always, 'Content-Type': 'text/event-stream' })
  response.write('retry: 500\n')
  const send = () => {
    timer = undefined
    // Who reads too slowly is told again when there is room.
    if (response.writableNeedDrain) return
    response.write(`event: state\ndata: ${JSON.stringify(state.get())}\n\n`)
  }
  let timer: NodeJS.Timeout | undefined
  const sendSoon = () => {
    timer ??= setTimeout(send, pause)
  }
  const unsubscribe = state.subscribe(sendSoon)
  response.on('drain', sendSoon)
  streams.add(response)
  response.once('close', () => {
    clearTimeout(timer)
    unsubscribe()
    streams.delete(response)
  })
  send()
}

async function read(name: string): Promise<Buffer | undefined> {
  try {
    return await readFile(join(folder, name))
  } catch {
    return undefined
  }
}

function write(
  response: ServerResponse,
  status: number,
  type: string,
  content: Buffer | string | undefined,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { ...always, 'Content-Type': type, ...headers })
  response.end(content)
}
