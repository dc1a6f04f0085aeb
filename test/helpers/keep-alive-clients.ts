import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { basePath } from '../../generated/operations.ts'

/**
 * Starts clients that each keep a connection; the idle ones create one pet and then send nothing.
 * `closed` resolves to what they have seen when every connection is closed.
 */
export function startClients(
  origin: string,
  apiKey: string,
  { busy, idle }: { readonly busy: number; readonly idle: number },
) {
  // Responses of which a part came; requests without a byte of a response; creates; connections that
  // ended after a response with `Connection: close`.
  const seen = { cutOff: 0, unanswered: 0, created: 0, last: 0 }
  const body = JSON.stringify({ name: 'Rex', categoryId: 7 })
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }

  function startClient(isBusy: boolean) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const answered = Promise.withResolvers<void>()
    async function run(): Promise<void> {
      for (let isLast = false; !isLast; ) {
        const sent = request(`${origin}${basePath}/pets`, { method: 'POST', agent, headers })
        sent.end(body)
        const [response]: IncomingMessage[] = await once(sent, 'response').catch(() => [])
        const gone = isBusy || new Promise((close) => response?.socket.once('close', close))
        const content = response && (await text(response).catch(() => undefined))
        answered.resolve()
        if (response === undefined) seen.unanswered++
        else if (content === undefined) seen.cutOff++
        else if (response.statusCode === 201) seen.created++
        if (response === undefined || content === undefined) return
        isLast = response.headers.connection === 'close'
        if (isLast) seen.last++
        if (isBusy) continue
        await gone
        return
      }
    }
    return { answered: answered.promise, closed: run() }
  }

  const clients = Array.from({ length: busy + idle }, (_, number) => startClient(number < busy))
  return {
    everyoneAnswered: () => Promise.all(clients.map(({ answered }) => answered)),
    async closed() {
      await Promise.all(clients.map(({ closed }) => closed))
      return seen
    },
  }
}
