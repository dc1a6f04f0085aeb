import { toText, withSpread } from '../report/numbers.ts'
import { toFigure, toRatio } from '../report/outcome.ts'
import { createDatabase } from '../run/database.ts'
import { animalCount } from '../run/requests.ts'
import { startServer } from '../run/server.ts'
import { compare } from './compare.ts'
import type { Part } from './part.ts'

const [counts, most, atMost] = [[1, 4, 16, 64], 64, 0.4]

/** What writers gain who share commits. Every create is on the disk before it is answered. */
export const writers: Part = {
  names: ['writers'],
  async run(bench) {
    const { folder, cores } = bench
    const database = await createDatabase(folder, animalCount)
    const launch = { folder, core: cores?.server }
    const start = (program: string) =>
      startServer({ ...launch, program, database: database.copy() })
    const [server, alone] = [
      await start('server/main.ts'),
      await start('bench/peers/commit-alone.ts'),
    ]
    const order = { key: database.key, request: 'create' }
    const taken = await compare(bench, [
      { server: alone, ...order, clients: most },
      ...counts.map((clients) => ({ server, ...order, clients })),
    ])
    const rates = taken.map((ones) => ones.map(({ rate }) => rate))
    const [ofAlone = [], ...ofCounts] = rates
    const rows = counts.map((count, index) => [
      `${count}`,
      withSpread(toFigure(ofCounts[index] ?? [])),
      toText(toFigure((taken[index + 1] ?? []).map(({ high }) => high)).median),
    ])
    const table = {
      title: 'Creates by the number of writers',
      note: `Every create is on the disk before it is answered. With a commit for each create, ${most} writers get ${withSpread(toFigure(ofAlone))} a second.`,
      columns: ['writers', 'creates/s', 'p99 ms'],
      rows,
    }
    // The same number of creates takes so much less time as more are made in a second.
    const measured = toRatio(ofAlone, ofCounts.at(-1) ?? [])
    const what = `time: creates by ${most} writers, against a commit for each`
    const raw = {
      alone: taken[0],
      writers: counts.map((count, index) => ({ count, rounds: taken[index + 1] })),
    }
    return { targets: [{ what, atMost, measured }], bars: [], tables: [table], raw }
  },
}
