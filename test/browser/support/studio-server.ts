import { readFile } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { LoopState } from '../../../scripts/dev/loop-state.ts'
import { project } from '../../pipeline/support/workspace.ts'
import { startTestService } from '../../support/service.ts'

const folder = join(project, 'scripts/dev/studio')
const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}
/** The designer's page, served as the loop serves it, with states that a test makes. */
export interface StudioServer {
  readonly origin: string
  /** How often the reference was asked for. */
  readonly timesDocsWereRead: () => number
  /** Tells every page that is open a state, and those that come later. */
  readonly tell: (state: LoopState) => void
  /** Ends as a loop does that is stopped. */
  readonly stop: () => Promise<void>
  /** Begins again at the same address; `refuses` answers every request with 503. */
  readonly start: (refuses?: boolean) => Promise<void>
}

/** Serves the designer's page until the test ends, with the reference of a service beside it. */
export async function serveStudio(first: LoopState): Promise<StudioServer> {
  const service = await startTestService()
  const open = new Set<ServerResponse>()
  let state = first
  let port = 0
  let docsRead = 0
  let server: Server | undefined
  const write = (response: ServerResponse) =>
    response.write(`event: state\ndata: ${JSON.stringify(state)}\n\n`)

  function answer(path: string, response: ServerResponse): void {
    if (path === '/studio/events') {
      open.add(response)
      response.on('close', () => open.delete(response))
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
      write(response)
    } else if (path.startsWith('/docs')) {
      if (path === '/docs') docsRead += 1
      void passOn(service.origin + path, response)
    } else answerFile(path === '/studio' ? 'index.html' : path.replace('/studio/', ''), response)
  }

  async function start(refuses = false): Promise<void> {
    server = createServer((request, response) => {
      if (refuses) response.writeHead(503).end()
      else answer(new URL(request.url ?? '/', 'http://a').pathname, response)
    })
    await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve))
    const address = server.address()
    if (typeof address === 'object' && address !== null) port = address.port
  }

  async function stop(): Promise<void> {
    const closed = new Promise((resolve) => server?.close(resolve))
    server?.closeAllConnections()
    await closed
  }

  await start()
  onTestFinished(stop)
  return {
    origin: `http://127.0.0.1:${port}`,
    timesDocsWereRead: () => docsRead,
    tell(next) {
      state = next
      for (const response of open) write(response)
    },
    stop,
    start,
  }
}

async function passOn(url: string, response: ServerResponse): Promise<void> {
  const { status, headers, body } = await fetch(url)
  response.writeHead(status, Object.fromEntries(headers))
  for await (const chunk of body ?? []) response.write(chunk)
  response.end()
}

function answerFile(name: string, response: ServerResponse): void {
  readFile(join(folder, name)).then(
    (content) => {
      const type = mediaTypes[extname(name)] ?? 'application/octet-stream'
      response.writeHead(200, { 'Content-Type': type }).end(content)
    },
    () => response.writeHead(404).end(),
  )
}
