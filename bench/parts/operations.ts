import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { withSpread } from '../report/numbers.ts'
import { toFigure, toRatio } from '../report/outcome.ts'
import { createDatabase } from '../run/database.ts'
import { copyProject } from '../run/project-copy.ts'
import { animalCount } from '../run/requests.ts'
import { project, startServer } from '../run/server.ts'
import { compare } from './compare.ts'
import type { Part } from './part.ts'

const [count, atMost] = [500, 1.1]

/** What a request costs where the description has many operations. */
export const manyOperations: Part = {
  names: ['operations'],
  async run(bench) {
    const { folder, cores } = bench
    const copy = join(folder, 'many-operations')
    bench.tell(`compiling ${count} operations`)
    copyProject(copy, count)
    await promisify(execFile)(process.execPath, ['scripts/generate.ts'], { cwd: copy })
    const database = await createDatabase(folder, animalCount)
    const launch = { program: 'server/main.ts', folder, core: cores?.server }
    const few = await startServer({ ...launch, database: database.copy(), project })
    const many = await startServer({ ...launch, database: database.copy(), project: copy })
    const order = { key: database.key, request: 'list' }
    const taken = await compare(bench, [
      { server: few, ...order },
      { server: many, ...order },
    ])
    const [ofFew = [], ofMany = []] = taken.map((ones) => ones.map(({ cpu }) => cpu))
    const table = {
      title: `A description of ${count} operations`,
      note: 'A list of 20 animals, in µs of CPU. Its operation is among the last of the description, and all have handlers.',
      columns: ['3 operations', `${count} operations`],
      rows: [[withSpread(toFigure(ofFew)), withSpread(toFigure(ofMany))]],
    }
    const what = `CPU: a list with ${count} operations in the contract, against 3`
    const targets = [{ what, atMost, measured: toRatio(ofMany, ofFew) }]
    return { targets, bars: [], tables: [table], raw: { few: ofFew, many: ofMany } }
  },
}
