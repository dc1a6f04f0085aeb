import { once } from 'node:events'
import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { quiet } from '../scripts/pipeline/programs.ts'
import { compareCost, overload } from './compare-peers.ts'
import { createFolder, project, type Server, start, startServer, stop } from './processes.ts'
import { compare, type Part, toRow } from './rows.ts'
import { createDatabase, startLoad } from './set-up.ts'

const service = 'server/main.ts'
const withoutSharedCommits = 'bench/peers/commit-alone.ts'

/** Measures creates by 64 writers with shared commits, against a commit for each create. */
const writers: Part = async (isQuick) => {
  const database = await createDatabase()
  const load = startLoad()
  const startOnCopy = (program: string) => startServer(program, { DATABASE_URL: database.copy() })
  const ours = await startOnCopy(service)
  const theirs = await startOnCopy(withoutSharedCommits)
  const measureRate = async ({ port }: Server): Promise<number> => {
    const seconds = isQuick ? 0.3 : 1.5
    const order = { port, key: database.key, request: 'create', clients: 64, seconds } as const
    const delivered = await load(order)
    return delivered.requests / delivered.seconds
  }

  const shared: number[] = []
  const alone: number[] = []
  const rounds = isQuick ? 1 : 6

  for (let round = 0; round < rounds; round++) {
    shared.push(await measureRate(ours))
    alone.push(await measureRate(theirs))
  }

  const against = 'time of a create by 64 writers, against a commit each'
  return [
    toRow('creates by 64 writers', 'per second', shared),
    toRow('creates by 64 writers, a commit each', 'per second', alone),
    compare(against, alone, shared, 0.4),
  ]
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
        if (port === undefined) {
          continue
        }

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
  const rounds = isQuick ? 1 : 15

  for (let round = -1; round < rounds; round++) {
    const ours = await startOnce(['sh', '-c', packageJson.scripts.start], '/v1/pets')
    const theirs = await startOnce([process.execPath, 'bench/peers/empty-express.js'], '/')
    // The first start of each fills the compile cache.
    if (round < 0) {
      continue
    }

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
    const [status]: readonly unknown[] = await once(child, 'close')
    if (status !== 0) {
      throw new Error(`${words.join(' ')} failed with status ${status}.`)
    }
    return (performance.now() - from) / 1000
  }

  const own: number[] = []
  const tools: number[] = []
  const spec = join(project, 'spec/openapi.yaml')
  const tool = (name: string) => join(project, 'node_modules', name, 'bin/cli.js')
  const rounds = isQuick ? 1 : 5

  for (let round = 0; round < rounds; round++) {
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
  list: (isQuick) => compareCost('list', isQuick),
  get: (isQuick) => compareCost('get', isQuick),
  create: (isQuick) => compareCost('create', isQuick),
  writers,
  overload,
  start: starts,
  memory,
  generate,
}
