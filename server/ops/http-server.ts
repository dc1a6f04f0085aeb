import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Config } from '../config.ts'
import { answerFramingFaults } from '../contract/request/framing.ts'
import { createServer } from '../node-http.ts'
import { PlainError } from '../plain-error.ts'

/** Makes the HTTP server of an application; it does not listen yet. */
export function createHttpServer(app: RequestListener): Server {
  const server = createServer({ requireHostHeader: false, connectionsCheckingInterval: 1_000 }, app)
  server.headersTimeout = 15_000
  server.requestTimeout = 60_000
  server.on('checkContinue', app).on('checkExpectation', app)
  answerFramingFaults(server)
  return server
}

/** Listens where the configuration says; resolves with the origin, rejects with a `PlainError`. */
export function listen(
  server: Server,
  { host, port }: Pick<Config, 'host' | 'port'>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const advice =
        cause.code === 'EADDRINUSE'
          ? 'Set PORT to another port, or to 0 for a free one.'
          : 'Set HOST and PORT to where the service can listen.'
      reject(new PlainError(`Cannot listen: ${cause.message}. ${advice}`, { cause }))
    })
    server.listen(port, host, () => {
      server.removeAllListeners('error')
      resolve(toOrigin(server.address()))
    })
  })
}

function toOrigin(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('Not a TCP server.')
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${host}:${address.port}`
}
