import type { RequestListener } from 'node:http'
import { promisify } from 'node:util'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Pages } from '../contract/pages.ts'
import { createHttpServer } from './http-server.ts'
import { listen } from './listen.ts'
import { createGate, type Gate } from './overload/gate.ts'
import { drain } from './shutdown.ts'
import { createTurnedAway, type TurnedAwayCounts } from './turned-away.ts'

export interface FrontOptions {
  readonly config: Config
  readonly log: Logger
  /** What probes ask; it is answered whatever happens, and a stop does not stay for it. */
  readonly health: Pages
  /** What waits are measured with, in milliseconds; the process's clock unless a test has its own. */
  readonly now?: (() => number) | undefined
}

/** How it is with the connections of callers, for metrics. */
export interface Door {
  readonly open: () => Promise<number>
  /** Connections that there may be. */
  readonly most: number
  readonly turnedAway: () => TurnedAwayCounts
}

/** What a service listens with. */
export interface Front {
  readonly origin: string
  readonly door: Door
  /** How it is with the load. */
  readonly load: Gate['load']
  /** Lets running requests end; see `drain`. */
  readonly close: (lull: number) => Promise<void>
}

/** Listens for an application, and hands it the requests that there is time for. */
export async function openFront(
  app: RequestListener,
  { config, log, health, now }: FrontOptions,
): Promise<Front> {
  const gate = createGate({
    app,
    bearable: config,
    log,
    spared: Object.keys(health),
    // The application rejects it, with the headers that every response has.
    refuse: (request, response) =>
      app(request, Object.assign(response, { locals: { isShed: true } })),
    now,
  })
  const turnedAway = createTurnedAway(log)
  const server = createHttpServer(gate.enter, config, turnedAway)
  server.on('connection', gate.connected)
  return {
    origin: await listen(server, config),
    load: gate.load,
    door: {
      open: () => promisify(server.getConnections).call(server),
      most: config.connections.most,
      turnedAway: turnedAway.counts,
    },
    async close(lull) {
      gate.drain()
      await drain(server, gate.traffic, { grace: config.shutdownGraceSeconds, lull })
      gate.stop()
      turnedAway.stop()
    },
  }
}
