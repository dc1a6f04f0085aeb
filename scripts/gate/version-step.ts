import type { Change, ContractDiff } from '../diff/contract-diff.ts'
import { compareVersions } from '../diff/version.ts'
import { shortPath } from '../pipeline/project.ts'

/** How many changes are named where the version does not allow for them. */
const shownChanges = 5

/** Says which version a description has to carry, and why, if it carries a lower one. */
export function checkVersion(diff: ContractDiff, spec: string): string[] {
  const { base, current, needed, changes, step } = diff
  if (compareVersions(current.version, needed) >= 0) return []
  const why =
    step === 'none'
      ? `${base.ref} has it`
      : `the changes since ${base.ref} (${base.version}) need it`
  const shown = changes.filter((change) => change.step === step).slice(0, shownChanges)
  const more = changes.length - shown.length
  return [
    `${shortPath(spec)}: info.version is ${current.version} and must be at least ${needed}, because ${why}; write version: ${needed}, then run: npm run generate`,
    ...shown.map((change) => `  ${change.step}: ${describe(change)}`),
    ...(more > 0 ? [`  and ${more} more; all are shown by: npm run diff`] : []),
  ]
}

function describe({ place, what }: Change): string {
  return what.includes(place) ? what : `${place}: ${what}`
}
