import { Agent, request } from 'node:http'

/** A request as a client of HTTP would send it. */
export interface Wanted {
  readonly method?: string
  /** Below the base of the API. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** What came back; `closed` where the connection ended before all of it. */
export interface Answer {
  readonly status: number | 'closed'
  readonly text: string
}

/** Makes what sends requests over connections that are kept. */
export function createSender(baseUrl: string, random: () => number) {
  const { hostname, port, pathname } = new URL(baseUrl)
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const byte = (): number => Math.floor(random() * 256)

  /** Sends a request, and leaves after some milliseconds where that is said. */
  function send(wanted: Wanted, leaveAfter?: number): Promise<Answer> {
    const { method = 'GET', path, body } = wanted
    // An address for each, so that none is shut out for what another one did.
    const headers = { 'X-Forwarded-For': `198.51.${byte()}.${byte()}`, ...wanted.headers }
    return new Promise((resolve) => {
      const options = { hostname, port, agent, method, path: `${pathname}${path}`, headers }
      const sending = request(options, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part) => {
          text += part
        })
        response
          .on('error', () => undefined)
          .on('close', () => {
            resolve({ status: response.complete ? (response.statusCode ?? 0) : 'closed', text })
          })
      })
      sending.on('error', (error) => resolve({ status: 'closed', text: String(error) })).end(body)
      if (leaveAfter !== undefined) setTimeout(() => sending.destroy(), leaveAfter)
    })
  }

  return { send, stop: () => agent.destroy() }
}
