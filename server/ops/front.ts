import type { RequestListener } from 'node:http'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Pages } from '../contract/pages.ts'
import { createConnectionReport } from './connection-report.ts'
import { createHttpServer, listen } from './http-server.ts'
import { createGate, type Gate } from './overload/gate.ts'
import { drain } from './shutdown.ts'

export interface FrontOptions {
  readonly config: Config
  readonly log: Logger
  /** What probes ask; it is answered whatever happens, and a stop does not stay for it. */
  readonly health: Pages
  /** Answers a request that there is no time for. */
  readonly refuse: RequestListener
  /** What waits are measured with, in milliseconds; the process's clock unless a test has its own. */
  readonly now?: (() => number) | undefined
}

/** What a service listens with. */
export interface Front {
  readonly origin: string
  /** How it is with the load. */
  readonly load: Gate['load']
  /** Lets running requests end; see `drain`. */
  readonly close: (lull: number) => Promise<void>
}

/** Listens for an application, and hands it the requests that there is time for. */
export async function openFront(
  app: RequestListener,
  { config, log, health, refuse, now }: FrontOptions,
): Promise<Front> {
  const gate = createGate({
    app,
    bearable: config,
    log,
    spared: Object.keys(health),
    refuse,
    now,
  })
  const refused = createConnectionReport(log)
  const server = createHttpServer(gate.enter, config, refused.note)
  server.on('connection', gate.connected)
  return {
    origin: await listen(server, config),
    load: gate.load,
    async close(lull) {
      gate.drain()
      await drain(server, gate.traffic, { grace: config.shutdownGraceSeconds, lull })
      gate.stop()
      refused.stop()
    },
  }
}
