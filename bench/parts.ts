import { once } from 'node:events'
import { copyFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import packageJson from '../package.json' with { type: 'json' }
import { quiet } from '../scripts/pipeline/programs.ts'
import { schema } from '../server/api/schema.ts'
import { issueKey } from '../server/security/api-key.ts'
import { openStore } from '../server/store/store.ts'
import { type Delivered, type Order, petCount } from './load.ts'
import {
  createFolder,
  pinned,
  project,
  type Server,
  start,
  startServer,
  stop,
  stopAll,
} from './processes.ts'
import { type Figure, toFigure, toRatio } from './statistics.ts'

/** A row of the table. */
export interface Row {
  readonly what: string
  readonly unit: 'µs CPU' | 'ms' | 's' | 'per second' | 'MiB' | '×'
  readonly figure: Figure
  /** The target of a row that has one: the highest or the lowest median that meets it. */
  readonly atMost?: number
  readonly atLeast?: number
}

/** A part of the run; a quick one shows that it works, with figures that mean little. */
export type Part = (isQuick: boolean) => Promise<Row[]>

const service = 'server/main.ts'
/** The servers that are compared, with the program of each. */
const peers = {
  'this service': service,
  'node:http, no validation': 'bench/peers/node-http.ts',
  Fastify: 'bench/peers/fastify.ts',
  'Express, no validation': 'bench/peers/express.ts',
  'Express with express-openapi-validator': 'bench/peers/express.ts --validator',
}
const targets: Readonly<Record<string, readonly [keyof typeof peers, number][]>> = {
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
async function requests(request: 'list' | 'get' | 'create', isQuick: boolean): Promise<Row[]> {
  const database = await createDatabase()
  const load = startLoad()
  const cpu: Record<string, number[]> = {}
  let responses: unknown
  // Two processes of one program may differ, so each is started several times.
  for (let generation = 0; generation < (isQuick ? 1 : 3); generation++) {
    const servers: (readonly [name: string, Server])[] = []
    const take = async (server: Server, seconds: number): Promise<number> => {
      const before = await server.cpu()
      const order = { port: server.port, key: database.key, request, clients: 32, seconds }
      const { requests } = await load(order)
      return ((await server.cpu()) - before) / requests
    }
    for (const [name, program] of Object.entries(peers)) {
      const server = await startServer(program, { DATABASE_URL: database.copy() })
      const own = await ask(server, database.key)
      responses ??= own
      if (!isDeepStrictEqual(own, responses)) throw new Error(`${name} sends other responses.`)
      await take(server, isQuick ? 0.3 : 3)
      servers.push([name, server])
    }
    for (let round = 0; round < (isQuick ? 2 : 6); round++) {
      // Each round begins with another server, so that none always follows the same.
      servers.push(...servers.splice(0, 1))
      for (const [name, server] of servers) {
        cpu[name] = [...(cpu[name] ?? []), await take(server, isQuick ? 0.3 : 1)]
      }
    }
    for (const [, server] of servers) await server.stop()
  }
  const own = cpu['this service'] ?? []
  return [
    ...Object.keys(peers).map((name) => toRow(`${request}: ${name}`, 'µs CPU', cpu[name] ?? [])),
    ...(targets[request] ?? []).map(([name, atMost]) => {
      return compare(`${request}: this service against ${name}`, own, cpu[name] ?? [], atMost)
    }),
  ]
}

/** Measures creates by 64 writers with shared commits, against a commit for each create. */
const writers: Part = async (isQuick) => {
  const database = await createDatabase()
  const load = startLoad()
  const rates: Record<string, number[]> = { [service]: [], 'bench/peers/commit-alone.ts': [] }
  const servers = new Map<string, Server>()
  for (const program of Object.keys(rates)) {
    servers.set(program, await startServer(program, { DATABASE_URL: database.copy() }))
  }
  for (let round = 0; round < (isQuick ? 1 : 6); round++) {
    for (const [program, { port }] of servers) {
      const order = { port, key: database.key, request: 'create', clients: 64 } as const
      const { requests, seconds } = await load({ ...order, seconds: isQuick ? 0.3 : 1.5 })
      rates[program]?.push(requests / seconds)
    }
  }
  const [shared = [], alone = []] = Object.values(rates)
  const against = 'time of a create by 64 writers, against a commit each'
  return [
    toRow('creates by 64 writers', 'per second', shared),
    toRow('creates by 64 writers, a commit each', 'per second', alone),
    compare(against, alone, shared, 0.4),
  ]
}

/**
 * Measures the requests served to 4,000 clients that ask again at once, against the throughput with
 * 32 clients, and the same of Express.
 */
const overload: Part = async (isQuick) => {
  const rows: Row[] = []
  for (const request of ['list', 'create'] as const) {
    for (const name of ['this service', 'Express, no validation'] as const) {
      const { key, copy } = await createDatabase()
      const load = startLoad()
      const limits = { MAX_CONNECTIONS: '10000', MAX_CONNECTIONS_PER_ADDRESS: '10000' }
      const environment = { DATABASE_URL: copy(), LOG_LEVEL: 'warn', ...limits }
      const { port } = await startServer(peers[name], environment)
      const rate = async (clients: number, seconds: number): Promise<number> => {
        const delivered = await load({ port, key, request, clients, seconds, isOverload: true })
        return delivered.requests / delivered.seconds
      }
      const shares: number[] = []
      await rate(32, isQuick ? 0.3 : 3)
      for (let round = 0; round < (isQuick ? 1 : 5); round++) {
        const peak = await rate(32, isQuick ? 0.3 : 3)
        shares.push((await rate(isQuick ? 400 : 4_000, isQuick ? 1 : 6)) / peak)
      }
      const row = toRow(
        `${request}s served to 4,000 clients, against the peak: ${name}`,
        '×',
        shares,
      )
      rows.push(name === 'this service' ? { ...row, atLeast: 0.8 } : row)
      await stopAll()
    }
  }
  return rows
}

/** Measures the time from a start to the first response, against an empty Express application. */
const starts: Part = async (isQuick) => {
  const { key, copy } = await createDatabase()
  const cache = join(createFolder(), 'compiled')
  const headers = { Authorization: `Bearer ${key}` }
  const DATABASE_URL = copy()
  const startOnce = async (command: readonly string[], path: string): Promise<number> => {
    const from = performance.now()
    const { PATH } = process.env
    const child = start(command, {
      cwd: project,
      env: { PATH, NODE_COMPILE_CACHE: cache, PORT: '0', OPS_PORT: '0', DATABASE_URL },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      let output = ''
      for await (const chunk of child.stdout ?? []) {
        output += chunk
        const [, port] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(output) ?? []
        if (port === undefined) continue
        await fetch(`http://127.0.0.1:${port}${path}`, { headers })
        return performance.now() - from
      }
      throw new Error(`${command.join(' ')} ended: ${output}`)
    } finally {
      await stop(child)
    }
  }
  const own: number[] = []
  const empty: number[] = []
  for (let round = -1; round < (isQuick ? 1 : 15); round++) {
    const ours = await startOnce(['sh', '-c', packageJson.scripts.start], '/v1/pets')
    const theirs = await startOnce([process.execPath, 'bench/peers/empty-express.js'], '/')
    // The first start of each fills the compile cache.
    if (round < 0) continue
    own.push(ours)
    empty.push(theirs)
  }
  return [
    toRow('start to the first response', 'ms', own),
    toRow('start to the first response, empty Express', 'ms', empty),
    compare('start to the first response, against an empty Express', own, empty, 2.5),
  ]
}

/** Measures whether memory grows with the number of requests, good and bad. */
const memory: Part = async (isQuick) => {
  const database = await createDatabase()
  const load = startLoad()
  const server = await startServer(service, { DATABASE_URL: database.copy() })
  const resident: number[] = []
  const live: number[] = []
  const count = isQuick ? 1_000 : 100_000
  for (let tenth = 1; tenth <= 10; tenth++) {
    await load({ port: server.port, key: database.key, request: 'mix', clients: 32, count })
    const used = await server.memory()
    resident.push(used.resident / 2 ** 20)
    live.push(used.live / 2 ** 20)
    truncateSync(server.log)
  }
  const million = `after ${(10 * count).toLocaleString('en-US')} requests`
  const against = `${million}, against a tenth of them`
  return [
    toRow(`resident memory ${million}`, 'MiB', resident.slice(-1)),
    compare(`resident memory ${against}`, resident.slice(-1), resident, 1.1),
    compare(`live objects ${against}`, live.slice(-1), live, 1.1),
  ]
}

/** Measures `npm run generate` against `redocly lint` followed by `openapi-typescript`. */
const generate: Part = async (isQuick) => {
  const folder = createFolder()
  const time = async (words: readonly string[], cwd = project): Promise<number> => {
    const from = performance.now()
    const env = { PATH: process.env['PATH'], ...quiet }
    const child = start([process.execPath, ...words], { cwd, env, stdio: 'ignore' })
    const [status] = await once(child, 'close')
    if (status !== 0) throw new Error(`${words.join(' ')} failed with status ${status}.`)
    return (performance.now() - from) / 1000
  }
  const own: number[] = []
  const tools: number[] = []
  const spec = join(project, 'spec/openapi.yaml')
  const tool = (name: string) => join(project, 'node_modules', name, 'bin/cli.js')
  for (let round = 0; round < (isQuick ? 1 : 5); round++) {
    own.push(await time(['scripts/generate.ts', '--out', join(folder, 'generated')]))
    const lint = await time([tool('@redocly/cli'), 'lint', spec])
    // In another folder, because it takes the settings of the project for its own.
    tools.push(lint + (await time([tool('openapi-typescript'), spec, '-o', 'types.d.ts'], folder)))
  }
  const against = 'npm run generate, against redocly lint and openapi-typescript'
  return [toRow('npm run generate', 's', own), compare(against, own, tools, 1)]
}

/** The parts of a run by their names, in order. */
export const parts: Readonly<Record<string, Part>> = {
  list: (isQuick) => requests('list', isQuick),
  get: (isQuick) => requests('get', isQuick),
  create: (isQuick) => requests('create', isQuick),
  writers,
  overload,
  start: starts,
  memory,
  generate,
}

type Values = readonly number[]

function toRow(what: string, unit: Row['unit'], values: Values): Row {
  return { what, unit, figure: toFigure(values) }
}

/** Returns the row of a ratio, with its target. */
function compare(what: string, own: Values, others: Values, atMost: number): Row {
  return { what, unit: '×', figure: toRatio(own, others), atMost }
}

/** Creates a SQLite store with pets, and an API key whose limits no load reaches. */
async function createDatabase() {
  const file = join(createFolder(), 'store.sqlite')
  const store = await openStore(`sqlite:${file}`, schema)
  const limits = { plan: 'enterprise', perMinute: 1e9, perDay: 1e9 } as const
  const { key, record } = issueKey({ name: 'bench', expiresAt: undefined, ...limits })
  await store.keys.add(record)
  await store.close()
  const connection = new DatabaseSync(file)
  connection.exec(`WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${petCount})
    INSERT INTO pets (name, category_id, status)
    SELECT 'a name of ordinary length', n, CASE WHEN n % 2 = 0 THEN 'available' ELSE 'sold' END FROM s`)
  connection.exec('ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)')
  connection.close()
  let copies = 0
  return {
    key,
    /** Returns the URL of a new copy. */
    copy(): string {
      const copy = `${file}-${++copies}`
      copyFileSync(file, copy)
      return `sqlite:${copy}`
    },
  }
}

/** Starts the process of the load; returns a function that has it send requests. */
function startLoad() {
  const program = fileURLToPath(new URL('./load.ts', import.meta.url))
  const child = start(pinned('load', [process.execPath, program]), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  return async (order: Order): Promise<Delivered> => {
    const delivered = once(child, 'message')
    child.send(order)
    const [message] = await delivered
    if (typeof message.error === 'string') throw new Error(message.error)
    return message
  }
}
