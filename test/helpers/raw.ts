import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** What a raw connection got back before it was closed. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Everything that came, further answers included. */
  readonly text: string
}

/**
 * Sends bytes as they are, and gives what comes back until the other side closes. A number between
 * them is a pause, in milliseconds.
 */
export function exchangeBytes(
  origin: string,
  ...parts: readonly (string | number)[]
): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.setEncoding('latin1')
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.once('error', reject)
    socket.once('close', () => resolve(parse(text)))
    void send(socket, parts)
  })
}

async function send(socket: Socket, parts: readonly (string | number)[]): Promise<void> {
  for (const part of parts) {
    if (typeof part === 'number') await wait(part)
    else if (socket.writable) socket.write(part, 'latin1')
  }
}

function parse(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [statusLine = '', ...fields] = head.split('\r\n')
  const headers = fields.map((field) => {
    const at = field.indexOf(':')
    return [field.slice(0, at).toLowerCase(), field.slice(at + 1).trim()]
  })
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: rest.join('\r\n\r\n'),
    text,
  }
}
