import { compareDescriptions } from './diff/compare.ts'
import { findReleased, readRef } from './diff/released.ts'
import { reports } from './diff/report.ts'
import { parseOptions, runCommand, UsageError } from './pipeline/failure.ts'
import { projectSpec } from './pipeline/project.ts'

const usage = `usage: npm run diff -- [REF] [--format ${[...reports.keys()].join('|')}]`

await runCommand(usage, async () => {
  const { ref, print } = readOptions()
  const released = findReleased()
  const chosen = ref === undefined ? undefined : await readRef(ref)
  const base = chosen ?? released
  if (base === undefined) {
    throw new UsageError('there is no release yet; name a ref of git: npm run diff -- HEAD')
  }
  const diff = await compareDescriptions(base.file, projectSpec, base.ref)
  // Changes before the ref may need a version, too; the one that the last release needs covers both.
  const since =
    chosen && released ? await compareDescriptions(released.file, projectSpec, released.ref) : diff
  console.log(print({ ...diff, needed: since.needed }))
})

function readOptions() {
  const { values, positionals } = parseOptions({
    allowPositionals: true,
    options: { format: { type: 'string', default: 'text' } },
  })
  const print = reports.get(values.format)
  if (print === undefined) {
    const names = [...reports.keys()].join(', ')
    throw new UsageError(`--format must be one of ${names}, not '${values.format}'; ${usage}`)
  }
  const [ref, ...others] = positionals
  if (others.length > 0) throw new UsageError(`only one ref can be compared with; ${usage}`)
  return { ref, print }
}
