import type { RequestListener } from 'node:http'
import { promisify } from 'node:util'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { splitTarget } from '../contract/request/target.ts'
import { isProbe } from './health.ts'
import { createHttpServer } from './http-server.ts'
import { listen } from './listen.ts'
import { drain } from './shutdown.ts'
import { countTraffic } from './traffic.ts'
import { createTurnedAway, type TurnedAwayCounts } from './turned-away.ts'
import { boundUnread } from './unread.ts'

export interface FrontOptions {
  readonly config: Config
  readonly log: Logger
}

/** The connections of clients, for metrics. */
export interface Door {
  readonly open: () => Promise<number>
  /** Connections that there may be. */
  readonly most: number
  readonly turnedAway: () => TurnedAwayCounts
}

/** The HTTP server of a service. */
export interface Front {
  readonly origin: string
  readonly door: Door
  /** Lets running requests end; see `drain`. */
  readonly close: (lull: number) => Promise<void>
}

/** Listens for an application. */
export async function openFront(
  app: RequestListener,
  { config, log }: FrontOptions,
): Promise<Front> {
  const turnedAway = createTurnedAway(log)
  const traffic = countTraffic()
  const unread = boundUnread()
  const listener: RequestListener = (request, response) => {
    // A stop does not wait for health checks, which go on until the server is gone.
    if (!isProbe(splitTarget(request.url ?? '').path)) {
      traffic.begun()
      response.once('close', traffic.over)
    }
    response.once('prefinish', () => unread.add(response))
    app(request, response)
  }
  const server = createHttpServer(listener, config, turnedAway)
  return {
    origin: await listen(server, config),
    door: {
      open: () => promisify(server.getConnections).call(server),
      most: config.connections.most,
      turnedAway: turnedAway.counts,
    },
    async close(lull) {
      await drain(server, traffic, { grace: config.shutdownGraceSeconds, lull })
      turnedAway.stop()
    },
  }
}
