import type { RequestListener, Server } from 'node:http'
import type { Config } from '../config.ts'
import { answerFramingFaults, refuseOtherTargets } from '../contract/request/framing-answers.ts'
import { createServer } from '../node-http.ts'
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
