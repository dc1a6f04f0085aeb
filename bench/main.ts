// npm run bench: what the service costs, against its peers, its targets and its last release.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, release, type } from 'node:os'
import { join } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { runCommand } from '../scripts/pipeline/failure.ts'
import { parseOptions, UsageError } from '../server/process/options.ts'
import { drawChart } from './chart.ts'
import { parts } from './parts.ts'
import { hasTwoCores, project, stopAll } from './processes.ts'
import type { Row } from './rows.ts'
import { toText } from './statistics.ts'

/** What `results.json` holds: the medians of the last full run. */
interface Results {
  readonly about: string
  readonly rows: readonly (Pick<Row, 'what' | 'unit'> & { readonly median: number })[]
}

const usage = `usage: npm run bench -- [${Object.keys(parts).join('|')} ...] [--quick]`
const file = join(project, 'bench/results.json')

await runCommand(usage, async () => {
  const { chosen, isQuick } = readArguments()
  const text = !isQuick && existsSync(file) ? readFileSync(file, 'utf8') : undefined
  const last: Results | undefined = text === undefined ? undefined : JSON.parse(text)
  if (!hasTwoCores) {
    console.error('There is no second core (or no taskset): servers and load share one.')
  }
  const rows: Row[] = []
  for (const name of chosen) {
    process.stderr.write(`${name}: `)
    const from = performance.now()
    rows.push(...((await parts[name]?.(isQuick)) ?? []))
    await stopAll()
    process.stderr.write(`${((performance.now() - from) / 1000).toFixed(0)} s\n`)
  }
  const about = describeRun()
  // The figures of a quick run mean little, so it compares them with nothing.
  const shown = isQuick ? rows.map(({ what, unit, figure }) => ({ what, unit, figure })) : rows
  console.log(`\n${toTable(shown, last)}\n\n${about}`)
  if (last !== undefined) {
    console.log(`Last: ${last.about}`)
  }
  if (!isQuick && chosen.length === Object.keys(parts).length) {
    const medians = rows.map(({ what, unit, figure }) => ({ what, unit, median: figure.median }))
    writeFileSync(file, `${JSON.stringify({ about, rows: medians }, null, 2)}\n`)
    writeFileSync(join(project, 'bench/chart.svg'), drawChart(rows, about))
    console.log('\nbench/results.json and bench/chart.svg are written: commit them with a release.')
  }
})

/** Returns the parts to run, all unless some are named. */
function readArguments() {
  const options = { quick: { type: 'boolean', default: false } } as const
  const { values, positionals } = parseOptions({ options, allowPositionals: true })
  const unknown = positionals.find((name) => !(name in parts))
  if (unknown !== undefined) {
    throw new UsageError(`there is no part '${unknown}'; ${usage}`)
  }
  const chosen = Object.keys(parts).filter(
    (name) => positionals.length === 0 || positionals.includes(name),
  )
  return { chosen, isQuick: values.quick }
}

/** Writes the rows as a table in Markdown, beside the medians of the last release. */
function toTable(rows: readonly Row[], last?: Results): string {
  const lines = rows.map((row) => {
    const { what, unit, figure } = row
    const before = last?.rows.find((one) => one.what === what)?.median ?? Number.NaN
    const spread =
      figure.least === figure.most ? '' : ` (${toText(figure.least)} to ${toText(figure.most)})`
    return [what, `${toText(figure.median)} ${unit}${spread}`, toText(before), ...judge(row)]
  })
  const columns = ['what', 'median (lowest to highest)', 'last release', 'target', 'met']
  return [columns, columns.map(() => '---'), ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

/** Compares the median with the target, before it is rounded. */
function judge({ figure: { median }, atMost, atLeast }: Row): readonly string[] {
  if (atMost !== undefined) {
    return [`≤ ${atMost}`, median <= atMost ? 'yes' : '**no**']
  }
  if (atLeast !== undefined) {
    return [`≥ ${atLeast}`, median >= atLeast ? 'yes' : '**no**']
  }
  return ['', '']
}

function describeRun(): string {
  const day = new Date().toISOString().slice(0, 10)
  const processor = cpus()[0]?.model.trim() || process.arch
  const machine = `${processor}, ${cpus().length} cores, ${type()} ${release()}`
  const args = ['describe', '--always', '--dirty', '--exclude', '*']
  const { status, stdout } = spawnSync('git', args, { cwd: project, encoding: 'utf8' })
  const commit = status === 0 ? stdout.trim() : 'unknown'
  return `${day}, version ${packageJson.version}, commit ${commit}; ${machine}; Node.js ${process.version}, Express ${packageJson.dependencies.express}, Fastify ${packageJson.devDependencies.fastify}.`
}
