import { toText } from '../report/numbers.ts'
import { type Target, toRatio } from '../report/outcome.ts'
import { createDatabase } from '../run/database.ts'
import { animalCount } from '../run/requests.ts'
import { type Memory, startServer } from '../run/server.ts'
import type { Part } from './part.ts'

const atMost = 1.1
const tenths = 10

/** Whether memory grows with the number of requests that were answered. */
export const memory: Part = {
  names: ['memory'],
  async run({ folder, cores, load, isQuick, tell }) {
    const { key, copy } = await createDatabase(folder, animalCount)
    const launch = { program: 'server/main.ts', database: copy(), folder, core: cores?.server }
    const server = await startServer(launch)
    const count = isQuick ? 1_000 : 100_000
    const points: Memory[] = []
    for (let tenth = 1; tenth <= tenths; tenth++) {
      tell(`${(tenth * count).toLocaleString('en-US')} requests`)
      await load.run({ port: server.port, key, request: 'mix', clients: 32, count })
      points.push(await server.memory())
      server.clearLog()
    }
    await server.stop()
    return toOutcome(points, count)
  },
}

function toOutcome(points: readonly Memory[], count: number) {
  const inWords = (tenth: number) => `${(tenth * count).toLocaleString('en-US')} requests`
  const growth = (what: string, of: (memory: Memory) => number): Target => ({
    what: `${what}: after ${inWords(tenths)}, against ${inWords(1)}`,
    atMost,
    measured: toRatio(points.slice(-1).map(of), points.slice(0, 1).map(of)),
  })
  const table = {
    title: 'Memory',
    note: 'After so many requests of a mix (lists, gets, creates, and what is refused), each time after a full collection. One run.',
    columns: ['', 'resident, MiB', 'live objects, MiB'],
    rows: points.map(({ resident, live }, index) => [
      inWords(index + 1),
      toText(resident / 2 ** 20),
      toText(live / 2 ** 20),
    ]),
  }
  const targets = [
    growth('memory', ({ resident }) => resident),
    growth('live objects', ({ live }) => live),
  ]
  return { targets, bars: [], tables: [table], raw: points }
}
