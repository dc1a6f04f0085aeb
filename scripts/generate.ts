import { resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseOptions, UsageError } from '../server/process/options.ts'
import { compile } from './pipeline/artifacts.ts'
import { runCommand } from './pipeline/failure.ts'
import { lintLevels } from './pipeline/lint.ts'
import { writeFolder } from './pipeline/output-folder.ts'
import { projectOutput, projectSpec, shortPath } from './pipeline/project.ts'
import { buildReference } from './pipeline/reference.ts'
import { mostWarnings, summarizeWarnings } from './pipeline/warnings.ts'

const value = { type: 'string' } as const
const options = { spec: value, out: value, lint: value, warnings: { type: 'boolean' } } as const
const usage = `usage: npm run generate -- [--spec FILE] [--out FOLDER] [--lint ${lintLevels.join('|')}] [--warnings]`

await runCommand(usage, async () => {
  const { spec, out, level, areAllPrinted } = readArguments()
  const { artifacts, warnings, unserved } = await compile(spec, level, out)
  const most = areAllPrinted ? warnings.length : mostWarnings
  for (const line of summarizeWarnings(warnings, most)) {
    console.error(line)
  }
  for (const line of unserved) {
    console.error(line)
  }
  const changed = await writeFolder(out, artifacts).catch((error: unknown) => {
    throw new UsageError(
      `cannot write to ${shortPath(out)}: ${error instanceof Error ? error.message : error}`,
    )
  })
  if (out === projectOutput) {
    await buildReference(out)
  }
  const what = changed.length === 0 ? 'nothing changed' : `changed ${changed.join(', ')}`
  const seconds = (performance.now() / 1000).toFixed(1)
  console.log(`generated ${shortPath(out)}: ${what} (${seconds} s)`)
})

/** Reads the arguments of the command; paths are relative to the current directory. */
function readArguments() {
  const { spec, out, lint = 'strict', warnings = false } = parseOptions({ options }).values
  const level = lintLevels.find((name) => name === lint)
  if (level === undefined) {
    throw new UsageError(`--lint must be one of ${lintLevels.join(', ')}, not '${lint}'; ${usage}`)
  }
  if (spec !== undefined && out === undefined) {
    throw new UsageError(`--spec needs --out, so that generated/ is not overwritten; ${usage}`)
  }
  return {
    spec: resolve(spec ?? projectSpec),
    out: resolve(out ?? projectOutput),
    level,
    areAllPrinted: warnings,
  }
}
