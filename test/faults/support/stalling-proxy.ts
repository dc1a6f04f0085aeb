import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A proxy in front of a database: it passes bytes on, or lets connections open and says nothing. */
export interface StallingProxy {
  /** The URL of the database, through the proxy. */
  readonly url: string
  /** Passes on nothing that is asked, or nothing that is answered, and leaves connections open. */
  readonly stall: (what: 'requests' | 'answers') => void
  /** Passes on again, on the connections that are there too. */
  readonly resume: () => void
}

/** Puts a proxy in front of the database that a URL leads to. */
export async function startStallingProxy(databaseUrl: string): Promise<StallingProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let stalled: 'requests' | 'answers' | undefined
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
  }
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const upstream = connect(Number(target.port || 5432), target.hostname)
    keep(socket)
    keep(upstream)
    socket.on('data', (bytes) => stalled !== 'requests' && upstream.write(bytes))
    upstream.on('data', (bytes) => stalled === undefined && socket.write(bytes))
    // A network that swallows everything swallows farewells too.
    socket.on('end', () => stalled === undefined && socket.end())
    socket.once('close', () => upstream.destroy())
    upstream.once('close', () => socket.destroy())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = typeof address === 'object' ? String(address?.port) : ''
  return {
    url: url.href,
    stall(what) {
      stalled = what
    },
    resume() {
      stalled = undefined
    },
  }
}
