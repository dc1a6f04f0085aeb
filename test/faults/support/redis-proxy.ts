import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** What a proxy does with what it gets: passes it on, keeps it for itself, or answers an error. */
type Manner = 'pass' | 'swallow' | { readonly error: string }

/** Puts a proxy in front of a Redis; how it behaves may change while connections are open. */
export async function startRedisProxy(port: number) {
  let manner: Manner = 'pass'
  let connections = 0
  const sockets = new Set<Socket>()
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
  }
  const server = createServer((socket) => {
    connections++
    const upstream = connect(port, '127.0.0.1')
    keep(socket)
    keep(upstream)
    socket.on('data', (commands: Buffer) => {
      if (manner === 'pass') upstream.write(commands)
      else if (manner !== 'swallow') socket.write(errors(manner.error, commands))
    })
    upstream.on('data', (answers) => manner === 'pass' && socket.write(answers))
    socket.once('close', () => upstream.destroy())
    upstream.once('close', () => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  const own = typeof address === 'object' ? address?.port : undefined
  return {
    url: `redis://127.0.0.1:${own}`,
    connections: () => connections,
    behave(next: Manner) {
      manner = next
    },
  }
}

// Each command is an array, and gets one answer (RESP).
function errors(message: string, commands: Buffer): string {
  const count = commands.toString('latin1').match(/(?:^|\r\n)\*\d+(?=\r\n)/g)?.length ?? 0
  return `-${message}\r\n`.repeat(count)
}
