import { isDeepStrictEqual } from 'node:util'
import { type Server, startServer, stopAll } from './processes.ts'
import { compare, type Part, type Row, toRow } from './rows.ts'
import { createDatabase, type Database, startLoad } from './set-up.ts'

/** The servers that are compared, with the program of each. */
const peers = {
  'this service': 'server/main.ts',
  'node:http, no validation': 'bench/peers/node-http.ts',
  Fastify: 'bench/peers/fastify.ts',
  'Express, no validation': 'bench/peers/express.ts',
  'Express with express-openapi-validator': 'bench/peers/express.ts --validator',
} as const
type PeerName = keyof typeof peers
type Peer = readonly [name: string, Server]

/** How much a request may cost, as a share of what it costs a peer. */
const targets: Readonly<Record<string, readonly [PeerName, number][]>> = {
  list: [
    ['Express, no validation', 1.1],
    ['Fastify', 1.25],
    ['Express with express-openapi-validator', 0.6],
  ],
  get: [['Express, no validation', 1.15]],
}

/** Returns status and body of a get, a list and a create, which are the same from every peer. */
async function ask({ port }: Server, key: string): Promise<unknown> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const body = '{"name":"Rex","categoryId":7,"status":"available"}'
  const responses: unknown[] = []
  for (const [path, init] of [
    ['/3', {}],
    ['?limit=2&status=sold', {}],
    ['', { method: 'POST', body }],
  ] as const) {
    const response = await fetch(`http://127.0.0.1:${port}/v1/pets${path}`, { ...init, headers })
    responses.push(response.status, await response.json())
  }
  return responses
}

/** Compares what a request costs in CPU with the same work behind other HTTP servers. */
export async function compareCost(
  request: 'list' | 'get' | 'create',
  isQuick: boolean,
): Promise<Row[]> {
  const database = await createDatabase()
  const load = startLoad()
  const takeCost = async (server: Server, seconds: number): Promise<number> => {
    const before = await server.cpu()
    const order = { port: server.port, key: database.key, request, clients: 32, seconds }
    const { requests } = await load(order)
    const after = await server.cpu()
    return (after - before) / requests
  }

  const costs = new Map<string, number[]>()
  // Two processes of one program may differ, so each is started several times.
  const generations = isQuick ? 1 : 3

  for (let generation = 0; generation < generations; generation++) {
    const servers = await startPeers(database)
    for (const [name, cost] of await measureRounds(servers, takeCost, isQuick)) {
      costs.set(name, [...(costs.get(name) ?? []), cost])
    }
    for (const [, server] of servers) {
      await server.stop()
    }
  }

  const costsOf = (name: string) => costs.get(name) ?? []
  const names = Object.keys(peers)
  return [
    ...names.map((name) => toRow(`${request}: ${name}`, 'µs CPU', costsOf(name))),
    ...(targets[request] ?? []).map(([name, atMost]) => {
      const what = `${request}: this service against ${name}`
      return compare(what, costsOf('this service'), costsOf(name), atMost)
    }),
  ]
}

/** Measures what a request costs each server, in several rounds after a first one that is not counted. */
async function measureRounds(
  servers: readonly Peer[],
  takeCost: (server: Server, seconds: number) => Promise<number>,
  isQuick: boolean,
): Promise<readonly (readonly [name: string, cost: number])[]> {
  for (const [, server] of servers) {
    await takeCost(server, isQuick ? 0.3 : 3)
  }

  const measured: (readonly [name: string, cost: number])[] = []
  const rounds = isQuick ? 2 : 6

  for (let round = 1; round <= rounds; round++) {
    // Each round begins with another server, so that none always follows the same.
    const first = round % servers.length

    for (const [name, server] of [...servers.slice(first), ...servers.slice(0, first)]) {
      measured.push([name, await takeCost(server, isQuick ? 0.3 : 1)])
    }
  }

  return measured
}

/** Starts every peer on a copy of a database; throws an error if their responses differ. */
async function startPeers({ key, copy }: Database): Promise<readonly Peer[]> {
  const servers: Peer[] = []
  let responses: unknown

  for (const [name, program] of Object.entries(peers)) {
    const server = await startServer(program, { DATABASE_URL: copy() })
    const own = await ask(server, key)
    responses ??= own
    if (!isDeepStrictEqual(own, responses)) {
      throw new Error(`${name} sends other responses.`)
    }
    servers.push([name, server])
  }

  return servers
}

/**
 * Measures the requests served to 4,000 clients that ask again at once, against the throughput with
 * 32 clients, and the same of Express.
 */
export const overload: Part = async (isQuick) => {
  const rows: Row[] = []

  for (const request of ['list', 'create'] as const) {
    for (const name of ['this service', 'Express, no validation'] as const) {
      const shares = await measureShares(name, request, isQuick)
      const what = `${request}s served to 4,000 clients, against the peak: ${name}`
      const row = toRow(what, '×', shares)
      rows.push(name === 'this service' ? { ...row, atLeast: 0.8 } : row)
      await stopAll()
    }
  }

  return rows
}

/** Measures in several rounds what share of its peak throughput a server keeps in overload. */
async function measureShares(
  name: PeerName,
  request: 'list' | 'create',
  isQuick: boolean,
): Promise<readonly number[]> {
  const { key, copy } = await createDatabase()
  const load = startLoad()
  const limits = { MAX_CONNECTIONS: '10000', MAX_CONNECTIONS_PER_ADDRESS: '10000' }
  const environment = { DATABASE_URL: copy(), LOG_LEVEL: 'warn', ...limits }
  const { port } = await startServer(peers[name], environment)
  const measureRate = async (clients: number, seconds: number): Promise<number> => {
    const delivered = await load({ port, key, request, clients, seconds, isOverload: true })
    return delivered.requests / delivered.seconds
  }

  const usual = { clients: 32, seconds: isQuick ? 0.3 : 3 }
  const excessive = isQuick ? { clients: 400, seconds: 1 } : { clients: 4_000, seconds: 6 }
  const rounds = isQuick ? 1 : 5
  const shares: number[] = []
  await measureRate(usual.clients, usual.seconds)

  for (let round = 0; round < rounds; round++) {
    const peak = await measureRate(usual.clients, usual.seconds)
    const served = await measureRate(excessive.clients, excessive.seconds)
    shares.push(served / peak)
  }

  return shares
}
