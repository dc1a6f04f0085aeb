import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { withSpread } from '../report/numbers.ts'
import { type Figure, toFigure, toRatio } from '../report/outcome.ts'
import { start } from '../run/processes.ts'
import { copyProject } from '../run/project-copy.ts'
import type { Bench, Part } from './part.ts'

const atMost = 1
const redocly = 'node_modules/@redocly/cli/bin/cli.js'
const types = 'node_modules/openapi-typescript/bin/cli.js'
const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

/** Seconds that commands took, in the order of the rounds. */
interface Taken {
  readonly cold: number[]
  readonly warm: number[]
  readonly tools: number[]
}

/** How long it takes to compile a description, against the two tools that would be run without us. */
export const generate: Part = {
  names: ['generate'],
  async run(bench) {
    const own = join(bench.folder, 'own')
    copyProject(own)
    const ofOwn = await compare(bench, own, bench.isQuick ? 1 : 5)
    const thousand = join(bench.folder, 'thousand')
    copyProject(thousand, bench.isQuick ? 100 : 1_000)
    const ofThousand = await compare(bench, thousand, bench.isQuick ? 1 : 3)
    return toOutcome(ofOwn, ofThousand, bench.isQuick ? '100' : '1,000')
  },
}

async function compare({ tell }: Bench, copy: string, rounds: number): Promise<Taken> {
  const taken: Taken = { cold: [], warm: [], tools: [] }
  const spec = 'spec/openapi.yaml'
  for (let round = 1; round <= rounds; round++) {
    tell(`round ${round} of ${rounds}`)
    forget(copy)
    rmSync(join(copy, 'generated'), { recursive: true })
    taken.cold.push(await time(copy, ['scripts/generate.ts']))
    taken.warm.push(await time(copy, ['scripts/generate.ts']))
    forget(copy)
    const linted = await time(copy, [redocly, 'lint', spec])
    taken.tools.push(linted + (await time(copy, [types, spec, '-o', 'temporary/types.d.ts'])))
  }
  return taken
}

/** Removes whatever a command may have kept for the next one. */
function forget(copy: string): void {
  rmSync(join(copy, 'node_modules/.cache'), { recursive: true, force: true })
  rmSync(join(copy, 'temporary'), { recursive: true, force: true })
  mkdirSync(join(copy, 'temporary'))
}

/** Seconds that a program takes. */
async function time(copy: string, words: readonly string[]): Promise<number> {
  const from = performance.now()
  const child = start([process.execPath, ...words], {
    cwd: copy,
    env: { PATH: process.env['PATH'], TMPDIR: join(copy, 'temporary'), ...quiet },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    complaint += text
  })
  const [status] = await once(child, 'close')
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}: ${complaint}`)
  return (performance.now() - from) / 1000
}

function toOutcome(own: Taken, thousand: Taken, many: string) {
  const write = (figure: Figure) => withSpread(figure)
  const row = (name: string, { cold, warm, tools }: Taken) => [
    name,
    ...[cold, warm, tools].map((times) => write(toFigure(times))),
  ]
  const table = {
    title: 'Compiling the description',
    note: 'In seconds. Cold is without anything that an earlier run may have kept, and without `generated/`; warm is the same once more. The tools are `redocly lint` and then `openapi-typescript`, cold.',
    columns: ['operations', '`generate`, cold', '`generate`, warm', 'the two tools'],
    rows: [row('3', own), row(many, thousand)],
  }
  const target = (operations: string, { cold, tools }: Taken) => ({
    what: `time: generate ${operations} operations, against lint and types`,
    atMost,
    measured: toRatio(cold, tools),
  })
  const targets = [target('3', own), target(many, thousand)]
  return { targets, bars: [], tables: [table], raw: { own, thousand } }
}
