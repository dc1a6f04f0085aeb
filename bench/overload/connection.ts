import { once } from 'node:events'
import { connect } from 'node:net'

/** A connection that carries one request at a time. It reads as little of an answer as it can. */
export interface Connection {
  /** Sends a request; the callback is given the status, 0 where the connection was lost. */
  readonly send: (request: Buffer, onAnswer: (status: number) => void) => void
  readonly close: () => void
}

/** Opens a connection; rejects when there is nobody. */
export async function openConnection(port: number): Promise<Connection> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true)
  await once(socket, 'connect')
  let pending: ((status: number) => void) | undefined
  let received: Buffer = Buffer.alloc(0)

  function settle(status: number): void {
    const outcome = pending
    pending = undefined
    received = Buffer.alloc(0)
    outcome?.(status)
  }

  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const head = received.indexOf('\r\n\r\n')
    if (head === -1) return
    const text = received.toString('latin1', 0, head)
    const [, length = 0] = /\r\ncontent-length: (\d+)/i.exec(text) ?? []
    if (received.length >= head + 4 + Number(length)) settle(Number(text.slice(9, 12)))
  })
  socket.on('error', () => undefined).on('close', () => settle(0))
  return {
    send(request, onAnswer) {
      pending = onAnswer
      socket.write(request)
    },
    close: () => socket.destroy(),
  }
}
