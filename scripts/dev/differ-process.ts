import { compareDescriptions } from '../diff/compare.ts'
import type { ContractDiff } from '../diff/contract-diff.ts'
import { findReleased } from '../diff/released.ts'
import { projectSpec } from '../pipeline/project.ts'
import { runRedoclyBy } from '../pipeline/redocly.ts'
import { answerJobs } from './answer-jobs.ts'
import { runRedoclyHere } from './redocly-here.ts'

/** How a description differs from the one that was released last; absent when none was. */
export interface DifferResult {
  readonly diff?: ContractDiff
}

runRedoclyBy(runRedoclyHere)

// A description does not differ from itself; what it takes to find that out is loaded then.
const options = ['--format=json', '--fail-on=none']
const loaded = runRedoclyHere(['diff', projectSpec, projectSpec, ...options]).catch(() => undefined)

answerJobs(async ({ spec }: { readonly spec: string }): Promise<DifferResult> => {
  await loaded
  const released = await findReleased()
  if (released === undefined) return {}
  return { diff: await compareDescriptions(released.file, spec, released.ref) }
})
