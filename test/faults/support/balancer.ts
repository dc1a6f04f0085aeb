import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/** A balancer: requests go in turn to the instances that say that they are ready. */
export interface Balancer {
  readonly origin: string
  /** Names another instance, and resolves when it is ready. */
  readonly add: (origin: string) => Promise<void>
}

/** Starts a balancer that looks every 100 milliseconds who is ready; it ends with the test. */
export async function startBalancer(): Promise<Balancer> {
  const ready = new Map<string, boolean>()
  const agent = new Agent({ keepAlive: true })
  const isOver = new AbortController()
  let turn = 0

  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const isReady = [...ready].filter(([, is]) => is).map(([origin]) => origin)
    turn++
    const order = isReady.map((_, index) => isReady[(index + turn) % isReady.length] ?? '')
    forward({ incoming, body: Buffer.concat(chunks), outgoing, agent }, order)
  })

  async function watch(origin: string): Promise<void> {
    while (!isOver.signal.aborted) {
      const answer = await fetch(`${origin}/readyz`).catch(() => undefined)
      ready.set(origin, answer?.status === 200)
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
}

function forward(exchange: Exchange, [origin, ...others]: readonly string[]): void {
  const { incoming, body, outgoing, agent } = exchange
  if (origin === undefined) {
    outgoing.writeHead(502).end()
    return
  }
  const { method = '', url = '', headers } = incoming
  const sent = request(new URL(url, origin), { method, headers, agent })
  sent.on('response', (answer) => {
    const { connection, ...fields } = answer.headers
    outgoing.writeHead(answer.statusCode ?? 502, fields)
    answer.pipe(outgoing)
  })
  sent.on('error', (error: NodeJS.ErrnoException) => {
    // It never got there: any balancer turns to the next one.
    forward(exchange, error.code === 'ECONNREFUSED' ? others : [])
  })
  sent.end(body)
}
