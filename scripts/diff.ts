import { compareDescriptions } from './diff/compare.ts'
import { assessChanges, projectOptions } from './diff/gate.ts'
import { readRef } from './diff/released.ts'
import { reports } from './diff/report.ts'
import { parseOptions, runCommand, UsageError } from './pipeline/failure.ts'
import { projectSpec } from './pipeline/project.ts'

const usage = `usage: npm run diff -- [REF] [--format ${[...reports.keys()].join('|')}] [--all]`

await runCommand(usage, async () => {
  const { ref, print, isWhole } = readOptions()
  const options = projectOptions()
  const { released } = options
  const chosen = ref === undefined ? undefined : await readRef(ref)
  const base = chosen ?? released
  if (base === undefined) {
    throw new UsageError('there is no release yet; name a ref of git: npm run diff -- HEAD')
  }
  const compare = ({ file, ref: name }: typeof base) =>
    assessChanges(compareDescriptions(file, projectSpec, name), options)
  const compared = compare(base)
  // Changes before the ref may need a version, too; the one that the last release needs covers both.
  const isOther = chosen !== undefined && released !== undefined
  const since = isOther ? compare(released) : compared
  console.log(print({ ...compared.diff, needed: since.diff.needed }, isWhole))
  // What is accepted is accepted after the last release.
  for (const error of released === undefined ? [] : since.errors) {
    console.error(error)
    process.exitCode = 1
  }
})

function readOptions() {
  const { values, positionals } = parseOptions({
    allowPositionals: true,
    options: {
      format: { type: 'string', default: 'text' },
      all: { type: 'boolean', default: false },
    },
  })
  const print = reports.get(values.format)
  if (print === undefined) {
    const names = [...reports.keys()].join(', ')
    throw new UsageError(`--format must be one of ${names}, not '${values.format}'; ${usage}`)
  }
  const [ref, ...others] = positionals
  if (others.length > 0) throw new UsageError(`only one ref can be compared with; ${usage}`)
  return { ref, print, isWhole: values.all }
}
