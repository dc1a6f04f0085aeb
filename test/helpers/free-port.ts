import { once } from 'node:events'
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
    await using server = createServer()
    const listening = once(server.listen(port, '127.0.0.1'), 'listening')
    if (await listening.catch(() => undefined)) {
      return port
    }
  }
}

/** Lets a server of a test listen on a free port until the test ends; resolves with the port. */
export async function listen(server: Server | HttpServer): Promise<number> {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.close()
    if ('closeAllConnections' in server) {
      server.closeAllConnections()
    }
  })
  const address = server.address()
  if (address === null || typeof address === 'string') {
    throw new Error('The server has no port.')
  }
  return address.port
}
