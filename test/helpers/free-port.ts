import { createServer } from 'node:net'

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
