// `npm run bench`: what the service costs against its peers and its targets, in one run.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '../scripts/pipeline/failure.ts'
import { readBenchOptions } from './command-line.ts'
import type { Bench } from './parts/part.ts'
import { namesOfParts, parts } from './parts/parts.ts'
import { toChart } from './report/chart.ts'
import { describeMachine } from './report/machine.ts'
import { type Report, toMarkdown } from './report/markdown.ts'
import type { Outcome } from './report/outcome.ts'
import { findCores } from './run/cores.ts'
import { startLoadMaker } from './run/load.ts'
import { createFolder, leaveNothing, removeFolder } from './run/processes.ts'
import { createProgress } from './run/progress.ts'
import { project } from './run/server.ts'

const results = join(project, 'bench/results')

leaveNothing()
await runCommand(async () => {
  const options = readBenchOptions(process.argv.slice(2), namesOfParts, results)
  const from = performance.now()
  const cores = findCores()
  const machine = describeMachine(cores)
  if (cores === undefined) console.error(`Processes are held to ${machine.pinning}.`)
  const outcomes = await runParts(options.chosen, options.isQuick, cores)
  const report: Report = {
    day: new Date().toISOString().slice(0, 10),
    machine,
    minutes: (performance.now() - from) / 60_000,
    targets: [...outcomes.values()].flatMap(({ targets }) => targets),
    tables: [...outcomes.values()].flatMap(({ tables }) => tables),
  }
  const text = toMarkdown(report)
  console.log(text)
  if (options.out !== undefined) writeResults(options.out, report, outcomes, text)
}).catch((error: unknown) => {
  console.error(`The run has failed: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
})
process.exit()

type Outcomes = ReadonlyMap<string, Outcome>

async function runParts(
  chosen: readonly string[],
  isQuick: boolean,
  cores: Bench['cores'],
): Promise<Outcomes> {
  const load = startLoadMaker(cores?.load)
  const progress = createProgress(process.stderr)
  const outcomes = new Map<string, Outcome>()
  for (const part of parts) {
    const names = part.names.filter((name) => chosen.includes(name))
    if (names.length === 0) continue
    const name = names.join(', ')
    const folder = createFolder()
    progress.begin(name)
    try {
      const bench = { folder, cores, load, isQuick, tell: progress.step }
      outcomes.set(name, await part.run(bench, names))
    } catch (error) {
      throw new Error(`${name}: ${error instanceof Error ? error.message : error}`, {
        cause: error,
      })
    } finally {
      progress.end()
    }
    removeFolder(folder)
  }
  await load.stop()
  return outcomes
}

function writeResults(folder: string, report: Report, outcomes: Outcomes, text: string): void {
  const { day, minutes, machine, targets } = report
  const raw = Object.fromEntries([...outcomes].map(([name, outcome]) => [name, outcome.raw]))
  const bars = [...outcomes.values()].flatMap((outcome) => outcome.bars)
  mkdirSync(folder, { recursive: true })
  const write = (name: string, content: string) => writeFileSync(join(folder, name), content)
  write('results.json', `${JSON.stringify({ day, minutes, machine, targets, raw }, null, 2)}\n`)
  write('results.md', text)
  write('chart.svg', toChart(report, bars))
}
