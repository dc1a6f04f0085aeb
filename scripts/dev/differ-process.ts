import { compareDescriptions } from '../diff/compare.ts'
import type { ContractDiff } from '../diff/contract-diff.ts'
import { findReleased } from '../diff/released.ts'
import { answerJobs } from './answer-jobs.ts'

/** How a description differs from the one that was released last; absent when none was. */
export interface DifferResult {
  readonly diff?: ContractDiff
}

answerJobs(async ({ spec }: { readonly spec: string }): Promise<DifferResult> => {
  const released = await findReleased()
  return released === undefined ? {} : { diff: await compareDescriptions(released.file, spec) }
})
