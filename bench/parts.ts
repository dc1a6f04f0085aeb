import { once } from 'node:events'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import packageJson from '../package.json' with { type: 'json' }
import { issueKey } from '../server/auth/api-key.ts'
import { openStore } from '../server/store/store.ts'
import { Connection, type Delivered, type Order, petCount } from './load.ts'
import {
  createFolder,
  pinned,
  project,
  type Server,
  start,
  startServer,
  stop,
} from './processes.ts'
import { type Figure, toFigure, toRatio } from './statistics.ts'

/** A row of the table. */
export interface Row {
  readonly what: string
  readonly unit: 'µs CPU' | 'ms' | 's' | 'per second' | 'MiB' | '×'
  readonly figure: Figure
  /** The target of a row that has one: what the median may be. */
  readonly atMost?: number
  readonly atLeast?: number
}

/** A part of the run; a quick one shows that it works, with figures that mean little. */
export type Part = (isQuick: boolean, onProgress: (step: string) => void) => Promise<Row[]>

const service = 'server/main.ts'
/** What is compared, with the program of each. */
export const peers = {
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
  create: [],
}

/** Compares what a request costs in CPU with the same work behind other HTTP servers. */
async function requests(
  request: 'list' | 'get' | 'create',
  isQuick: boolean,
  onProgress: (step: string) => void,
): Promise<Row[]> {
  const database = await createDatabase()
  const load = startLoad()
  const names = Object.keys(peers)
  const cpu = new Map<string, number[]>(names.map((name) => [name, []]))
  // Two processes of one program may differ, so each is started several times.
  for (let generation = 0; generation < (isQuick ? 1 : 3); generation++) {
    const servers = new Map<string, Server>()
    const take = async (name: string, seconds: number): Promise<number> => {
      const server = servers.get(name)
      if (server === undefined) return Number.NaN
      const before = await server.cpu()
      const order = { port: server.port, key: database.key, request, clients: 32, seconds }
      const { requests } = await load.run(order)
      return ((await server.cpu()) - before) / requests
    }
    for (const [name, program] of Object.entries(peers)) {
      servers.set(name, await startServer(program, { DATABASE_URL: database.copy() }))
      onProgress(`warming up ${name}`)
      await take(name, isQuick ? 0.3 : 3)
    }
    for (let round = 0; round < (isQuick ? 2 : 6); round++) {
      onProgress(`generation ${generation + 1}, round ${round + 1}`)
      // Each round begins with another server, so that none always follows the same.
      const rotated = [
        ...names.slice(round % names.length),
        ...names.slice(0, round % names.length),
      ]
      for (const name of rotated) cpu.get(name)?.push(await take(name, isQuick ? 0.3 : 1))
    }
    for (const server of servers.values()) await server.stop()
  }
  await load.stop()
  const own = cpu.get('this service') ?? []
  return [
    ...names.map((name): Row => {
      return { what: `${request}: ${name}`, unit: 'µs CPU', figure: toFigure(cpu.get(name) ?? []) }
    }),
    ...(targets[request] ?? []).map(([name, atMost]): Row => {
      const figure = toRatio(own, cpu.get(name) ?? [])
      return { what: `${request}: this service against ${name}`, unit: '×', figure, atMost }
    }),
  ]
}

/** Measures what 64 writers gain who share commits; each create is on the disk before its response. */
const writers: Part = async (isQuick, onProgress) => {
  const database = await createDatabase()
  const load = startLoad()
  const rates: Record<string, number[]> = { [service]: [], 'bench/peers/commit-alone.ts': [] }
  const servers = new Map<string, Server>()
  for (const program of Object.keys(rates)) {
    servers.set(program, await startServer(program, { DATABASE_URL: database.copy() }))
  }
  for (let round = 0; round < (isQuick ? 1 : 6); round++) {
    onProgress(`round ${round + 1}`)
    for (const [program, { port }] of servers) {
      const order = { port, key: database.key, request: 'create', clients: 64 } as const
      const { requests, seconds } = await load.run({ ...order, seconds: isQuick ? 0.3 : 1.5 })
      rates[program]?.push(requests / seconds)
    }
  }
  for (const server of servers.values()) await server.stop()
  await load.stop()
  const [shared = [], alone = []] = Object.values(rates)
  return [
    { what: 'creates by 64 writers', unit: 'per second', figure: toFigure(shared) },
    { what: 'creates by 64 writers, a commit each', unit: 'per second', figure: toFigure(alone) },
    {
      ...{ what: 'time of a create by 64 writers, against a commit each', unit: '×' },
      ...{ figure: toRatio(alone, shared), atMost: 0.4 },
    },
  ]
}

/** Measures the throughput with 4,000 impatient clients, against that with as many as it can serve. */
const overload: Part = async (isQuick, onProgress) => {
  const rows: Row[] = []
  for (const request of ['list', 'create'] as const) {
    const database = await createDatabase()
    const load = startLoad()
    const server = await startServer(service, {
      ...{ DATABASE_URL: database.copy(), LOG_LEVEL: 'warn' },
      ...{ MAX_CONNECTIONS: '10000', MAX_CONNECTIONS_PER_ADDRESS: '10000' },
    })
    const rate = async (clients: number, seconds: number, timeout?: number): Promise<number> => {
      const order = { port: server.port, key: database.key, request, clients, seconds }
      const delivered = await load.run({ ...order, ...(timeout && { timeout }) })
      return delivered.requests / delivered.seconds
    }
    const shares: number[] = []
    await rate(32, isQuick ? 0.3 : 3)
    for (let round = 0; round < (isQuick ? 1 : 5); round++) {
      onProgress(`${request}, round ${round + 1}`)
      const peak = await rate(32, isQuick ? 0.3 : 3)
      const served = await rate(isQuick ? 400 : 4_000, isQuick ? 1 : 10, 1_000)
      shares.push(served / peak)
    }
    await server.stop()
    await load.stop()
    const what = `${request}s served with 4,000 clients that give up after a second, against the peak`
    rows.push({ what, unit: '×', figure: toFigure(shares), atLeast: 0.8 })
  }
  return rows
}

/** Measures the time from a start to the first response, against an empty Express application. */
const starts: Part = async (isQuick, onProgress) => {
  const database = await createDatabase()
  const cache = join(createFolder(), 'compiled')
  const head = `Host: bench\r\nAuthorization: Bearer ${database.key}\r\n\r\n`
  const startOnce = async (command: readonly string[], request: string): Promise<number> => {
    const from = performance.now()
    const environment = { PORT: '0', OPS_PORT: '0', DATABASE_URL: database.url }
    const child = start(command, {
      cwd: project,
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: cache, ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      let output = ''
      for await (const chunk of child.stdout ?? []) {
        output += chunk
        const [, port] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(output) ?? []
        if (port === undefined) continue
        const connection = await Connection.open(Number(port))
        await connection.send(Buffer.from(request))
        const milliseconds = performance.now() - from
        connection.close()
        return milliseconds
      }
      throw new Error(`${command.join(' ')} ended: ${output}`)
    } finally {
      await stop(child)
    }
  }
  const [own, empty]: [number[], number[]] = [[], []]
  for (let round = -1; round < (isQuick ? 1 : 15); round++) {
    onProgress(`start ${round + 2}`)
    const ours = await startOnce(
      ['sh', '-c', packageJson.scripts.start],
      `GET /v1/pets HTTP/1.1\r\n${head}`,
    )
    const theirs = await startOnce(
      [process.execPath, 'bench/peers/empty-express.js'],
      `GET / HTTP/1.1\r\n${head}`,
    )
    // The first start of each fills the compile cache.
    if (round < 0) continue
    own.push(ours)
    empty.push(theirs)
  }
  return [
    { what: 'start to the first response', unit: 'ms', figure: toFigure(own) },
    { what: 'start to the first response, empty Express', unit: 'ms', figure: toFigure(empty) },
    {
      ...{ what: 'start to the first response, against an empty Express', unit: '×' },
      ...{ figure: toRatio(own, empty), atMost: 2.5 },
    },
  ]
}

/** Measures whether memory grows with the number of requests, good and bad. */
const memory: Part = async (isQuick, onProgress) => {
  const database = await createDatabase()
  const load = startLoad()
  const server = await startServer(service, { DATABASE_URL: database.copy() })
  const points: Record<'resident' | 'live', number>[] = []
  const count = isQuick ? 1_000 : 100_000
  for (let tenth = 1; tenth <= 10; tenth++) {
    onProgress(`${(tenth * count).toLocaleString('en-US')} requests`)
    await load.run({ port: server.port, key: database.key, request: 'mix', clients: 32, count })
    points.push(await server.memory())
    server.truncateLog()
  }
  await server.stop()
  await load.stop()
  const of = (name: 'resident' | 'live', index: number) => [
    (points.at(index)?.[name] ?? 0) / 2 ** 20,
  ]
  const million = `after ${(10 * count).toLocaleString('en-US')} requests`
  return [
    { what: `resident memory ${million}`, unit: 'MiB', figure: toFigure(of('resident', -1)) },
    {
      ...{ what: `resident memory ${million}, against a tenth of them`, unit: '×' },
      ...{ figure: toRatio(of('resident', -1), of('resident', 0)), atMost: 1.1 },
    },
    {
      ...{ what: `live objects ${million}, against a tenth of them`, unit: '×' },
      ...{ figure: toRatio(of('live', -1), of('live', 0)), atMost: 1.1 },
    },
  ]
}

/** Measures `npm run generate` against `redocly lint` followed by `openapi-typescript`. */
const generate: Part = async (isQuick, onProgress) => {
  const folder = createFolder()
  const time = async (...words: string[]): Promise<number> => {
    const from = performance.now()
    const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    const env = { PATH: process.env['PATH'], ...quiet }
    const child = start([process.execPath, ...words], { cwd: project, env, stdio: 'ignore' })
    const [status] = await once(child, 'close')
    if (status !== 0) throw new Error(`${words.join(' ')} failed with status ${status}.`)
    return (performance.now() - from) / 1000
  }
  const [own, tools]: [number[], number[]] = [[], []]
  const spec = 'spec/openapi.yaml'
  for (let round = 0; round < (isQuick ? 1 : 5); round++) {
    onProgress(`round ${round + 1}`)
    own.push(await time('scripts/generate.ts', '--out', join(folder, 'generated')))
    const lint = await time('node_modules/@redocly/cli/bin/cli.js', 'lint', spec)
    const types = [
      'node_modules/openapi-typescript/bin/cli.js',
      spec,
      '-o',
      join(folder, 'types.d.ts'),
    ]
    tools.push(lint + (await time(...types)))
  }
  return [
    { what: 'npm run generate', unit: 's', figure: toFigure(own) },
    {
      ...{ what: 'npm run generate, against redocly lint and openapi-typescript', unit: '×' },
      ...{ figure: toRatio(own, tools), atMost: 1 },
    },
  ]
}

/** The parts of a run by their names, in order. */
export const parts: Readonly<Record<string, Part>> = {
  list: (isQuick, onProgress) => requests('list', isQuick, onProgress),
  get: (isQuick, onProgress) => requests('get', isQuick, onProgress),
  create: (isQuick, onProgress) => requests('create', isQuick, onProgress),
  writers,
  overload,
  start: starts,
  memory,
  generate,
}

/** Creates a SQLite store with pets, and an API key whose limits no load reaches. */
export async function createDatabase() {
  const file = join(createFolder(), 'store.sqlite')
  const store = await openStore(`sqlite:${file}`)
  const limits = { plan: 'enterprise', perMinute: 1e9, perDay: 1e9 } as const
  const { key, record } = issueKey({ name: 'bench', expiresAt: undefined, ...limits })
  await store.keys.add(record)
  await store.close()
  const connection = new DatabaseSync(file)
  connection.exec(`WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${petCount})
    INSERT INTO animals (name, category_id, status)
    SELECT 'a name of ordinary length', n, CASE WHEN n % 2 = 0 THEN 'available' ELSE 'sold' END FROM s`)
  connection.exec('ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)')
  connection.close()
  let copies = 0
  return {
    ...{ key, url: `sqlite:${file}` },
    /** Returns the URL of a new copy. */
    copy(): string {
      const copy = `${file}-${++copies}`
      copyFileSync(file, copy)
      return `sqlite:${copy}`
    },
  }
}

function startLoad() {
  const program = fileURLToPath(new URL('./load.ts', import.meta.url))
  const child = start(pinned('load', [process.execPath, program]), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  return {
    async run(order: Order): Promise<Delivered> {
      const delivered = once(child, 'message')
      child.send(order)
      const [message] = await delivered
      if (typeof message.error === 'string') throw new Error(message.error)
      return message
    },
    stop: () => stop(child),
  }
}
