import type { Logger } from 'pino'
import { framingStatuses } from '../contract/request/framing.ts'
import type { OnFramingRefusal } from '../contract/request/framing-answers.ts'
import { createEpisode } from './episode.ts'

/** How much was turned away since the start, for metrics. */
export interface TurnedAwayCounts {
  readonly connections: number
  /** Answers to bytes that are no request, by status. */
  readonly framing: ReadonlyMap<string, number>
}

/** What never becomes a request that an application sees; it is counted, and the log tells of it. */
export interface TurnedAway {
  /** Notes a connection that was closed because as many are open as there may be. */
  readonly connection: () => void
  /** Notes an answer to bytes that are no request, which gets a line as requests do. */
  readonly framing: OnFramingRefusal
  readonly counts: () => TurnedAwayCounts
  /** Tells what is left to be told. */
  readonly stop: () => void
}

const messages = {
  begun:
    'Connections are refused: as many are open as there may be, of all callers or of one address, and probes may be among those that get none. MAX_CONNECTIONS and MAX_CONNECTIONS_PER_ADDRESS say how many; TRUST_PROXY says that a proxy stands in front.',
  goesOn: 'connections are still refused',
  over: 'connections are no longer refused',
}

/** Makes what keeps account of that. */
export function createTurnedAway(log: Logger): TurnedAway {
  const episode = createEpisode({ log, interval: 60_000, messages })
  const framing = new Map(framingStatuses.map((status) => [status, 0]))
  let connections = 0
  return {
    connection() {
      connections++
      episode.note()
    },
    framing(refusal) {
      const status = `${refusal.status}`
      framing.set(status, (framing.get(status) ?? 0) + 1)
      log.info({ ...refusal, code: 'bad_request_framing' }, 'refused what is no HTTP request')
    },
    counts: () => ({ connections, framing }),
    stop: episode.stop,
  }
}
