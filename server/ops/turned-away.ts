import type { Logger } from 'pino'
import { framingStatuses } from '../contract/request/framing.ts'
import type { OnFramingRefusal } from '../contract/request/framing-answers.ts'
import type { ConnectionLimit } from './connections.ts'
import { createEpisode } from './episode.ts'

/** How much was turned away since the start, for metrics. */
export interface TurnedAwayCounts {
  readonly connections: Readonly<Record<ConnectionLimit, number>>
  /** Answers to bytes that are no request, by status. */
  readonly framing: ReadonlyMap<string, number>
}

/** What never becomes a request that an application sees; it is counted, and the log tells of it. */
export interface TurnedAway {
  /** Notes a connection that was closed because as many are open as there may be. */
  readonly connection: (by: ConnectionLimit) => void
  /** Notes an answer to bytes that are no request, which gets a line as requests do. */
  readonly framing: OnFramingRefusal
  readonly counts: () => TurnedAwayCounts
  /** Tells what is left to be told. */
  readonly stop: () => void
}

const messages = {
  all: {
    begun:
      'Connections are refused: callers hold as many as there may be (MAX_CONNECTIONS), and probes of the API may be among those that get none.',
    goesOn: 'connections are still refused',
    over: 'connections are no longer refused',
  },
  address: {
    begun:
      'Connections of an address are refused: it holds as many as one may (MAX_CONNECTIONS_PER_ADDRESS); others get theirs. If it is a proxy, TRUST_PROXY has to say so.',
    goesOn: 'connections of an address are still refused',
    over: 'connections of an address are no longer refused',
  },
}

/** Makes what keeps account of that. */
export function createTurnedAway(log: Logger): TurnedAway {
  const createOne = (by: ConnectionLimit) =>
    createEpisode({ log, interval: 60_000, messages: messages[by] })
  const episodes = { all: createOne('all'), address: createOne('address') }
  const connections = { all: 0, address: 0 }
  const framing = new Map(framingStatuses.map((status) => [status, 0]))
  return {
    connection(by) {
      connections[by]++
      episodes[by].note()
    },
    framing(refusal) {
      const status = `${refusal.status}`
      framing.set(status, (framing.get(status) ?? 0) + 1)
      log.info({ ...refusal, code: 'bad_request_framing' }, 'refused what is no HTTP request')
    },
    counts: () => ({ connections, framing }),
    stop() {
      episodes.all.stop()
      episodes.address.stop()
    },
  }
}
