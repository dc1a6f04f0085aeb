import { performance } from 'node:perf_hooks'
import { compile } from './pipeline/artifacts.ts'
import { readGenerateOptions } from './pipeline/command-line.ts'
import { runCommand, UsageError } from './pipeline/failure.ts'
import { writeFolder } from './pipeline/output-folder.ts'
import { projectOutput, shortPath } from './pipeline/project.ts'
import { buildReferencePage } from './pipeline/reference-page.ts'

await runCommand(async () => {
  const { spec, out, level } = readGenerateOptions(process.argv.slice(2))
  const { artifacts, warnings } = await compile(spec, level)
  for (const warning of warnings) console.error(`${warning} (warning)`)
  const changed = await writeFolder(out, artifacts).catch((error: unknown) => {
    throw new UsageError(`cannot write to ${shortPath(out)}: ${toReason(error)}`)
  })
  if (out === projectOutput) await buildReferencePage(out)
  const what = changed.length === 0 ? 'nothing changed' : `changed ${changed.join(', ')}`
  const seconds = (performance.now() / 1000).toFixed(1)
  console.log(`generated ${shortPath(out)}: ${what} (${seconds} s)`)
})

function toReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
