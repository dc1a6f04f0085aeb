import { createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** Sees to it that a connection ends with the test, and that nobody minds when it breaks. */
export type Keep = (socket: Socket) => void

/** Serves bare connections until the test ends; gives where the contract's paths would begin. */
export async function serveSockets(serve: (socket: Socket, keep: Keep) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const keep: Keep = (socket) => {
    sockets.add(socket)
    // A side that goes away is what many tests are about.
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
  }
  const server = createServer((socket) => {
    keep(socket)
    serve(socket, keep)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('It has no port.')
  return `http://127.0.0.1:${address.port}/v1`
}
