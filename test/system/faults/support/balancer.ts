import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/** A balancer: requests go in turn to the instances that say that they are ready. */
export interface Balancer {
  readonly origin: string
  /** Names another instance, and resolves when it is ready. */
  readonly add: (origin: string) => Promise<void>
  /** What went wrong between it and instances that were ready. */
  readonly failures: readonly string[]
}

/** Starts a balancer that looks every 100 milliseconds who is ready; it ends with the test. */
export async function startBalancer(): Promise<Balancer> {
  const ready = new Map<string, boolean>()
  const failures: string[] = []
  const agent = new Agent({ keepAlive: true })
  const isOver = new AbortController()
  let turn = 0

  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const listReady = () => [...ready].filter(([, is]) => is).map(([origin]) => origin)
    // On a busy machine a moment may come in which the database keeps all of them waiting.
    while (listReady().length === 0) await wait(20)
    const isReady = listReady()
    turn++
    const order = isReady.map((_, index) => isReady[(index + turn) % isReady.length] ?? '')
    forward({ incoming, body: Buffer.concat(chunks), outgoing, agent, failures }, order)
  })

  async function watch(origin: string): Promise<void> {
    while (!isOver.signal.aborted) {
      const response = await fetch(`${origin}/readyz`).catch(() => undefined)
      ready.set(origin, response?.status === 200)
      await wait(100)
    }
  }

  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    isOver.abort()
    agent.destroy()
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    failures,
    async add(origin) {
      void watch(origin)
      while (ready.get(origin) !== true) await wait(20)
    },
  }
}

interface Exchange {
  readonly incoming: IncomingMessage
  readonly body: Buffer
  readonly outgoing: ServerResponse
  readonly agent: Agent
  readonly failures: string[]
}

function forward(exchange: Exchange, [origin, ...others]: readonly string[]): void {
  const { incoming, body, outgoing, agent, failures } = exchange
  if (origin === undefined) {
    failures.push('no instance takes connections')
    outgoing.writeHead(502).end()
    return
  }
  const { method = '', url = '', headers } = incoming
  const sent = request(new URL(url, origin), { method, headers, agent })
  sent.on('response', (response) => {
    const { connection, ...fields } = response.headers
    outgoing.writeHead(response.statusCode ?? 502, fields)
    response.pipe(outgoing)
  })
  sent.on('error', (error: NodeJS.ErrnoException) => {
    // It never got there, or a connection was closed while idle: any balancer turns to the next one.
    const isIdleClose = sent.reusedSocket && error.code === 'ECONNRESET' && !outgoing.headersSent
    if (error.code === 'ECONNREFUSED' || isIdleClose) return forward(exchange, others)
    failures.push(`${method} ${url}: ${error.message}`)
    outgoing.writeHead(502).end()
  })
  sent.end(body)
}
