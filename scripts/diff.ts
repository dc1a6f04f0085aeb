import { readDiffOptions } from './diff/command-line.ts'
import { compareDescriptions } from './diff/compare.ts'
import type { ContractDiff } from './diff/contract-diff.ts'
import { findReleased, type Released, readRef } from './diff/released.ts'
import { printReport } from './diff/report.ts'
import { runCommand, UsageError } from './pipeline/failure.ts'
import { projectSpec } from './pipeline/project.ts'

await runCommand(async () => {
  const { ref, format } = readDiffOptions(process.argv.slice(2))
  const [released, chosen] = await Promise.all([findReleased(), ref && readRef(ref)])
  const base = chosen || released
  if (base === undefined) {
    throw new UsageError('there is no release yet; name a ref of git: npm run diff -- HEAD')
  }
  const [diff, since] = await Promise.all([
    compare(base),
    chosen && released ? compare(released) : undefined,
  ])
  // What was changed before the ref may need a version already, and the same one does for both.
  console.log(printReport(since ? { ...diff, needed: since.needed } : diff, format))
})

function compare({ file, ref }: Released): Promise<ContractDiff> {
  return compareDescriptions(file, projectSpec, ref)
}
