import { readDiffOptions } from './diff/command-line.ts'
import { compareDescriptions } from './diff/compare.ts'
import { findReleased, readRef } from './diff/released.ts'
import { printReport } from './diff/report.ts'
import { runCommand, UsageError } from './pipeline/failure.ts'
import { projectSpec } from './pipeline/project.ts'

await runCommand(async () => {
  const { ref, format } = readDiffOptions(process.argv.slice(2))
  const base = ref === undefined ? await findReleased() : await readRef(ref)
  if (base === undefined) {
    throw new UsageError('there is no release yet; name a ref of git: npm run diff -- HEAD')
  }
  const diff = await compareDescriptions(base.file, projectSpec, base.ref)
  console.log(printReport(diff, format))
})
