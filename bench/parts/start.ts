import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import packageJson from '../../package.json' with { type: 'json' }
import { openConnection } from '../overload/connection.ts'
import { withSpread } from '../report/numbers.ts'
import { type Target, toFigure, toRatio } from '../report/outcome.ts'
import { createDatabase } from '../run/database.ts'
import { end, start } from '../run/processes.ts'
import { animalCount } from '../run/requests.ts'
import { project } from '../run/server.ts'
import type { Part } from './part.ts'

const atMost = 2.5
const { scripts } = packageJson

/** What is started, by a command of package.json or a program, and what it is asked first. */
interface Started {
  readonly name: string
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly request: string
}

/** Milliseconds from a start to its first answer, on the clock and of CPU. */
interface Start {
  readonly wall: number
  readonly cpu: number
}

/** How long a start takes, against that of an empty Express application. */
export const starts: Part = {
  names: ['start'],
  async run(bench) {
    const { key, copy } = await createDatabase(bench.folder, animalCount)
    const [ours, empty]: Start[][] = [[], []]
    const service: Started = {
      name: 'the service',
      command: ['sh', '-c', scripts.start],
      environment: { PORT: '0', OPS_PORT: '0', DATABASE_URL: copy() },
      request: `GET /v1/pets HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    }
    const express: Started = {
      name: 'the empty Express',
      command: [process.execPath, 'bench/peers/empty-express.js'],
      environment: {},
      request: 'GET / HTTP/1.1\r\nHost: bench\r\n\r\n',
    }
    const rounds = bench.isQuick ? 2 : 15
    const cache = join(bench.folder, 'compiled')
    // The first of each only brings its files into memory, and into the cache.
    for (let round = 0; round <= rounds; round++) {
      bench.tell(`start ${round + 1} of ${rounds + 1}`)
      const taken = [await startOnce(service, cache), await startOnce(express, cache)] as const
      if (round === 0) continue
      ours?.push(taken[0])
      empty?.push(taken[1])
    }
    return toOutcome(ours ?? [], empty ?? [])
  },
}

async function startOnce(
  { name, command, environment, request }: Started,
  cache: string,
): Promise<Start> {
  const from = performance.now()
  const child = start(command, {
    cwd: project,
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: cache, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    if (child.stdout === null) throw new Error('The output cannot be read.')
    for await (const line of createInterface({ input: child.stdout })) {
      const [, port] = /http:\/\/127\.0\.0\.1:(\d+)\//.exec(line) ?? []
      if (port === undefined) continue
      const { send, close } = await openConnection(Number(port))
      const status = await new Promise<number>((done) => send(Buffer.from(request), done))
      const taken = { wall: performance.now() - from, cpu: cpuOf(child.pid ?? 0) }
      close()
      if (status !== 200) throw new Error(`The first answer of ${name} was ${status}.`)
      return taken
    }
    throw new Error(`${name} ended before it said where it answers.`)
  } finally {
    await end(child)
  }
}

/** Milliseconds of CPU that the threads of a process have taken; known on Linux alone. */
function cpuOf(processId: number): number {
  if (process.platform !== 'linux') return Number.NaN
  const folder = `/proc/${processId}/task`
  const times = readdirSync(folder).map((thread) =>
    Number(readFileSync(join(folder, thread, 'schedstat'), 'utf8').split(' ')[0]),
  )
  return times.reduce((total, time) => total + time, 0) / 1e6
}

function toOutcome(ours: readonly Start[], empty: readonly Start[]) {
  const ways = [
    { name: 'CPU', of: ({ cpu }: Start) => cpu },
    { name: 'time', of: ({ wall }: Start) => wall },
  ].filter(({ of }) => ours.every((one) => Number.isFinite(of(one))))
  const targets = ways.map(
    ({ name, of }): Target => ({
      what: `${name}: start to first answer, against an empty Express`,
      atMost,
      measured: toRatio(ours.map(of), empty.map(of)),
    }),
  )
  const rows = ways.map(({ name, of }) => [
    `${name}, ms`,
    withSpread(toFigure(ours.map(of))),
    withSpread(toFigure(empty.map(of))),
  ])
  const note = `${ours.length} starts of each in turn, the service as \`npm start\` runs it, both from Node's compile cache, which that keeps; on a store with ${animalCount} animals.`
  const columns = ['', 'this service', 'empty Express']
  const table = { title: 'From start to first answer', note, columns, rows }
  return { targets, bars: [], tables: [table], raw: { service: ours, emptyExpress: empty } }
}
