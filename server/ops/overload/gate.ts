import type { RequestListener } from 'node:http'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { framingFault } from '../../contract/request/framing.ts'
import { createEpisode } from '../episode.ts'
import { countTraffic, type Traffic } from '../traffic.ts'
import { createUnread } from '../unread.ts'
import { createRest } from './rest.ts'
import { createSparing } from './spared.ts'
import { createVisit, type Visit } from './visit.ts'
import { createWaitingLine } from './waiting-line.ts'

/** How it is with the load, for metrics. */
export interface Load {
  readonly isOverloaded: boolean
  /** Requests that were refused since the start. */
  readonly refused: number
  readonly running: number
  readonly waiting: number
}

export interface GateOptions {
  readonly app: RequestListener
  readonly bearable: Pick<Config, 'overloadWaitMs' | 'requestsAtOnce'>
  readonly log: Logger
  /** Paths that are answered whatever happens, a few in each turn, such as those of probes. */
  readonly spared: readonly string[]
  /** Answers what is too much. */
  readonly refuse: RequestListener
  /** The clock, in milliseconds that are never set back; tests hand in their own. */
  readonly now?: (() => number) | undefined
}

/** Stands in front of an application and lets in what there is time for. */
export interface Gate {
  readonly enter: RequestListener
  /** Notes that a connection has come. */
  readonly connected: () => void
  readonly load: () => Load
  /** The requests that are not spared. */
  readonly traffic: Traffic
  /** Reads on every connection again: the service is about to stop. */
  readonly drain: () => void
  /** Tells the log what is left to be told. */
  readonly stop: () => void
}

const messages = {
  begun:
    'The service is overloaded: it refuses what is too much with 503, and serves the rest. Where its store is held or slow, which is a line of its own, look there. Otherwise start more instances, or let callers ask less; OVERLOAD_WAIT_MS and REQUESTS_AT_ONCE say what is too much.',
  goesOn: 'still overloaded',
  over: 'the overload is over',
}

/** Makes a gate. */
export function createGate(options: GateOptions): Gate {
  const { app, bearable, log, spared, refuse, now = () => performance.now() } = options
  const line = createWaitingLine({
    ...{ app, now, mostWait: bearable.overloadWaitMs, requestsAtOnce: bearable.requestsAtOnce },
    refuse: turnAway,
  })
  const rest = createRest()
  const traffic = countTraffic()
  const unread = createUnread(now)
  const isSpared = createSparing(spared)
  let refused = 0
  const state = () => ({ running: line.running(), waiting: line.waiting() })
  const episode = createEpisode({ log, interval: 10_000, messages, state })

  function turnAway({ request, response }: Visit): void {
    // What is misframed is refused for that, which closes its connection.
    if (framingFault(request) !== undefined) app(request, response)
    else {
      refused++
      episode.note()
      refuse(request, response)
      rest.begin(request.socket)
    }
  }

  return {
    enter(request, response) {
      if (isSpared(request.url ?? '')) return app(request, response)
      traffic.begun()
      const visit = createVisit(request, response, now())
      // From when it is handed over, an answer is its reader's matter: whoever takes none would keep
      // others from being served.
      response.on('prefinish', () => {
        line.leave(visit)
        unread.add(response)
      })
      response.on('close', () => {
        line.leave(visit)
        traffic.over()
      })
      if (!line.enter(visit)) turnAway(visit)
    },
    traffic,
    connected: line.connected,
    load: () => ({ isOverloaded: line.isOverloaded(), refused, ...state() }),
    drain: rest.end,
    stop: episode.stop,
  }
}
