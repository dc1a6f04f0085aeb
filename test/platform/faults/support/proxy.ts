import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { listen } from '../../../helpers/free-port.ts'

/**
 * What a proxy does: it passes bytes on; or it swallows all of them, or responses alone, and leaves
 * connections open; or it delays responses by a third of a second; or it closes every connection, as
 * a server that is stopped does.
 */
export type Manner = 'pass' | 'swallow' | 'swallow responses' | 'delay' | 'close'

/** Puts a proxy in front of the PostgreSQL or Redis that a URL with a port leads to; it ends with the test. */
export async function startProxy(serverUrl: string) {
  const url = new URL(serverUrl)
  const { hostname, port } = url
  const sockets: Socket[] = []
  let manner: Manner = 'pass'
  let connections = 0
  const server = createServer({ allowHalfOpen: true }, (client) => {
    connections++
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) {
      sockets.push(socket)
      socket.on('error', () => undefined)
      socket.once('close', () => {
        client.destroy()
        upstream.destroy()
      })
    }
    if (manner === 'close') {
      client.resetAndDestroy()
    }
    client.on('data', (bytes: Buffer) => {
      if (manner !== 'swallow') {
        upstream.write(bytes)
      }
    })
    upstream.on('data', (bytes) => {
      if (manner === 'pass') {
        client.write(bytes)
      }
      if (manner === 'delay') {
        setTimeout(() => client.write(bytes), 300)
      }
    })
    // A network that swallows everything swallows the end of a connection too.
    client.on('end', () => manner !== 'swallow' && manner !== 'swallow responses' && client.end())
  })
  /** Changes what it does, also on connections that are open. */
  const behave = (next: Manner): void => {
    manner = next
    if (manner === 'close') {
      for (const socket of sockets) {
        socket.destroy()
      }
    }
  }
  onTestFinished(() => behave('close'))
  url.host = `127.0.0.1:${await listen(server)}`
  return {
    /** The URL of the server, through the proxy. */
    url: url.href,
    /** How many connections were opened to it so far. */
    connections: () => connections,
    behave,
  }
}
