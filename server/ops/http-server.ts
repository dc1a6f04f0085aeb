import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Config } from '../config.ts'
import { answerFramingFaults, refuseOtherTargets } from '../contract/request/framing-answers.ts'
import { createServer } from '../node-http.ts'
import { PlainError } from '../plain-error.ts'
import { boundConnections } from './connections.ts'
import { inTurn } from './in-turn.ts'
import type { TurnedAway } from './turned-away.ts'

/** Header fields that a request may have; a whole header section may have 16 KiB. */
export const mostHeaderFields = 100

/** Bytes of a header section, the request line included, and of the fields after a chunked body. */
export const mostHeaderBytes = 16_384

/** Requests that a connection may send ahead of their answers. */
export const mostUnanswered = 100

/** Makes the HTTP server of an application, which tells of what it turns away; it does not listen yet. */
export function createHttpServer(
  app: RequestListener,
  { connections, trustProxy }: Pick<Config, 'connections' | 'trustProxy'>,
  turnedAway: Pick<TurnedAway, 'connection' | 'framing'>,
): Server {
  const { exchangeSeconds, idleSeconds } = connections
  const times = { seconds: exchangeSeconds, idleSeconds }
  const { join, lastOf } = inTurn(refuseOtherTargets(app, turnedAway.framing), {
    mostUnanswered,
    ...times,
  })
  const server = createServer(
    {
      requireHostHeader: false,
      maxHeaderSize: mostHeaderBytes,
      // How late a timeout may be.
      connectionsCheckingInterval: 1_000,
    },
    join,
  )
  server.maxHeadersCount = mostHeaderFields
  server.headersTimeout = connections.headersSeconds * 1_000
  server.requestTimeout = connections.requestSeconds * 1_000
  server.keepAliveTimeout = idleSeconds * 1_000
  server.on('checkContinue', join).on('checkExpectation', join)
  const { most, perAddress } = connections
  // Behind a proxy every connection is the proxy's.
  const limits = trustProxy > 0 ? { most } : { most, mostPerNetwork: perAddress }
  boundConnections(server, limits, turnedAway.connection)
  answerFramingFaults(server, lastOf, turnedAway.framing)
  return server
}

/** Listens where the configuration says; resolves with the origin, rejects with a `PlainError` that names the variables. */
export function listen(
  server: Server,
  { host, port }: Pick<Config, 'host' | 'port'>,
  names = { host: 'HOST', port: 'PORT' },
): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const advice =
        cause.code === 'EADDRINUSE'
          ? `Set ${names.port} to another port, or to 0 for a free one.`
          : `Set ${names.host} and ${names.port} to where the service can listen.`
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
