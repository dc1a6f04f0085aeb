import { express, expressValidator, fastify, type Peer, peers, service } from '../peers/peers.ts'
import { toText, withSpread } from '../report/numbers.ts'
import { type Outcome, type Target, toFigure, toRatio } from '../report/outcome.ts'
import { createDatabase } from '../run/database.ts'
import { animalCount } from '../run/requests.ts'
import { type Server, startServer } from '../run/server.ts'
import { type Measured, measure } from './measure.ts'
import type { Bench, Part } from './part.ts'

const operations = ['list', 'get', 'create']
const against = [
  { operation: 'list', peer: express, atMost: 1.1 },
  { operation: 'list', peer: fastify, atMost: 1.25 },
  { operation: 'list', peer: expressValidator, atMost: 0.6 },
  { operation: 'get', peer: express, atMost: 1.15 },
]

/** What was measured, by operation and peer, in the order of the rounds. */
type Taken = ReadonlyMap<string, ReadonlyMap<Peer, Measured[]>>

/** What a request costs this service and its peers, who do the same work. */
export const requests: Part = {
  names: operations,
  async run(bench, chosen) {
    const taken: Taken = new Map(
      chosen.map((operation) => [operation, new Map(peers.map((peer) => [peer, []]))]),
    )
    const extent = bench.isQuick ? { generations: 1, rounds: 2 } : { generations: 3, rounds: 6 }
    const database = await createDatabase(bench.folder, animalCount)
    for (let generation = 1; generation <= extent.generations; generation++) {
      const servers = new Map<Peer, Server>()
      for (const peer of peers) {
        const { folder, cores } = bench
        const launch = { program: peer.program, database: database.copy(), folder }
        servers.set(peer, await startServer({ ...launch, core: cores?.server }))
      }
      await warmUp(bench, chosen, servers, database.key)
      for (let round = 0; round < extent.rounds; round++) {
        bench.tell(`processes ${generation} of ${extent.generations}, round ${round + 1}`)
        await takeRound(bench, taken, rotated(servers, round + generation), database.key)
      }
      for (const { stop } of servers.values()) await stop()
    }
    return toOutcome(taken)
  },
}

/** Begins each round with another one, so that none always follows the same. */
function rotated(servers: ReadonlyMap<Peer, Server>, by: number): [Peer, Server][] {
  const all = [...servers]
  return [...all.slice(by % all.length), ...all.slice(0, by % all.length)]
}

async function warmUp(
  { load, isQuick, tell }: Bench,
  chosen: readonly string[],
  servers: ReadonlyMap<Peer, Server>,
  key: string,
): Promise<void> {
  for (const [{ name }, { port }] of servers) {
    tell(`warming up ${name}`)
    for (const request of chosen) {
      await load.run({ port, key, request, clients: 32, seconds: isQuick ? 0.3 : 2 })
    }
  }
}

async function takeRound(
  { load, isQuick }: Bench,
  taken: Taken,
  servers: readonly [Peer, Server][],
  key: string,
): Promise<void> {
  for (const [request, ofPeers] of taken) {
    for (const [peer, server] of servers) {
      const order = { key, request, clients: 32, seconds: isQuick ? 0.3 : 0.8 }
      ofPeers.get(peer)?.push(await measure(load, server, order))
    }
  }
}

function toOutcome(taken: Taken): Outcome {
  const cpuOf = (operation: string, peer: Peer): number[] =>
    (taken.get(operation)?.get(peer) ?? []).map(({ cpu }) => cpu)
  const targets = against
    .filter(({ operation }) => taken.has(operation))
    .map(
      ({ operation, peer, atMost }): Target => ({
        what: `CPU: ${operation}, against ${peer.name}`,
        atMost,
        measured: toRatio(cpuOf(operation, service), cpuOf(operation, peer)),
      }),
    )
  const bars = [...taken].map(([operation, ofPeers]) => ({
    title: `${operation === 'list' ? 'list of 20 animals' : operation}, µs of CPU`,
    bars: [...ofPeers.keys()].map((peer) => ({
      name: peer.name,
      figure: toFigure(cpuOf(operation, peer)),
      isOurs: peer === service,
    })),
  }))
  return {
    targets,
    bars,
    tables: [...taken].map(([operation]) => tableOf(operation, taken)),
    raw: toRaw(taken),
  }
}

function tableOf(operation: string, taken: Taken) {
  const rows = [...(taken.get(operation) ?? [])].map(([peer, measured]) => {
    const ours = taken.get(operation)?.get(service) ?? []
    const of = (name: keyof Measured) => measured.map((one) => one[name])
    const ratio = toRatio(
      ours.map(({ cpu }) => cpu),
      of('cpu'),
    )
    const others = [toFigure(of('rate')), toFigure(of('median')), toFigure(of('high'))]
    return [
      ...[peer.name, peer === service ? '1' : withSpread(ratio), withSpread(toFigure(of('cpu')))],
      ...others.map(({ median }) => toText(median)),
    ]
  })
  const columns = ['', 'this service against it', 'µs of CPU', 'requests/s', 'p50 ms', 'p99 ms']
  const note =
    '32 clients that each wait for their answer; every server does the same work beside HTTP.'
  return { title: operation, note, columns, rows }
}

function toRaw(taken: Taken): unknown {
  return Object.fromEntries(
    [...taken].map(([operation, ofPeers]) => [
      operation,
      Object.fromEntries([...ofPeers].map(([{ name }, measured]) => [name, measured])),
    ]),
  )
}
