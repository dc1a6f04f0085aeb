import type { Server as HttpServer } from 'node:http'
import { createServer, type Server } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * Returns a TCP port of 127.0.0.1 on which nothing listens, from 10,000 to 29,999: below the ports
 * that systems give to those who ask for any, so that no other test is given it meanwhile.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000)
    if (await canListen(port)) return port
  }
}

async function canListen(port: number): Promise<boolean> {
  const server = createServer()
  const listening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
  })
  if (listening) await new Promise((closed) => server.close(closed))
  return listening
}

/** Lets a server of a test listen on a free port until the test ends; resolves with the port. */
export async function listen(server: Server | HttpServer): Promise<number> {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.close()
    if ('closeAllConnections' in server) server.closeAllConnections()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}
