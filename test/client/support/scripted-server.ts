import type { Socket } from 'node:net'
import { serveSockets } from './socket-server.ts'

/** What the server does about a request: it has the connection to itself. */
export interface Behaviour {
  /** Whether it does so at the first byte, without a look at the rest. */
  readonly atOnce?: boolean
  readonly act: (socket: Socket) => void
}

/** A request as it arrived; nothing is known of one that was not read. */
export interface ArrivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Resolves when the connection that it came on is closed. */
  readonly closed: Promise<void>
}

export interface ScriptedServer {
  readonly baseUrl: string
  /** Every request so far, in the order of arrival. */
  readonly requests: readonly ArrivedRequest[]
}

/**
 * Starts a server that does one thing about each request that arrives, and the last of them about
 * all that follow. It ends with the test.
 */
export async function startScriptedServer(
  ...behaviours: readonly Behaviour[]
): Promise<ScriptedServer> {
  const requests: ArrivedRequest[] = []
  const baseUrl = await serveSockets((socket) => {
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    let received = ''
    socket.setEncoding('latin1').on('data', (chunk) => {
      received += chunk
      const behaviour = behaviours[Math.min(requests.length, behaviours.length - 1)]
      const request = behaviour?.atOnce ? unread : readRequest(received)
      if (behaviour === undefined || request === undefined) return
      received = ''
      requests.push({ ...request, closed })
      behaviour.act(socket)
    })
  })
  return { baseUrl, requests }
}

const unread = { method: '', path: '', headers: {}, body: '' }

// Whole requests with a length are all that a client of ours sends, one at a time.
function readRequest(text: string): Omit<ArrivedRequest, 'closed'> | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const [line = '', ...fields] = text.slice(0, end).split('\r\n')
  const [method = '', path = ''] = line.split(' ')
  const headers = Object.fromEntries(
    fields.map((field) => {
      const at = field.indexOf(':')
      return [field.slice(0, at).toLowerCase(), field.slice(at + 1).trim()]
    }),
  )
  const body = text.slice(end + 4)
  return body.length < Number(headers['content-length'] ?? 0)
    ? undefined
    : { method, path, headers, body }
}
