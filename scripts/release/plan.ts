import { compareDescriptions } from '../diff/compare.ts'
import type { ContractDiff } from '../diff/contract-diff.ts'
import { isRepository } from '../diff/git.ts'
import { findReleased, type Released } from '../diff/released.ts'
import { compareVersions } from '../diff/version.ts'
import { readDescription, versionOf } from '../diff/whole-description.ts'
import { passGate } from '../gate/gate.ts'
import { DescriptionError, UsageError } from '../pipeline/failure.ts'
import { projectSpec } from '../pipeline/project.ts'
import { printEntry, printFirstEntry } from './changelog.ts'
import { type Files, printFiles, readEntry } from './files.ts'
import { isTagged } from './repository.ts'
import { withStagedSpec } from './staged-spec.ts'

/** What a release is going to do. */
export interface Plan {
  readonly version: string
  /** Its entry in the changelog. */
  readonly entry: string
  /** The files that change; none where only the tag is missing. */
  readonly files: Files
}

/** Plans a release of the project as it is; changes nothing. */
export async function planRelease(wanted: string | undefined, today: Date): Promise<Plan> {
  const released = await findReleased()
  const description = await readDescription(projectSpec)
  const diff = released && (await compareDescriptions(released.file, projectSpec, released.ref))
  const day = today.toISOString().slice(0, 10)
  const version = wanted ?? chooseVersion(versionOf(description), diff)
  if (diff && (await lacksOnlyTag(version, diff))) {
    const entry = await readEntry(version)
    return { version, entry: entry ?? printFirstEntry(version, day, description), files: new Map() }
  }
  if (diff !== undefined) refuseVersion(version, wanted, diff)
  if (await isTagged(version)) {
    throw new UsageError(
      `v${version} is tagged already, elsewhere; merge it, or name another version`,
    )
  }
  const entry = diff ? printEntry(version, day, diff) : printFirstEntry(version, day, description)
  return withStagedSpec(version, async (staged) => {
    await refuseFaults(staged.file, released, today)
    return { version, entry, files: await printFiles(version, entry, staged) }
  })
}

// Such is a release that was made outside of git, and the first one of a project that was handed over.
async function lacksOnlyTag(version: string, { base, step }: ContractDiff): Promise<boolean> {
  if (step !== 'none' || version !== base.version || !(await isRepository())) return false
  return !(await isTagged(version))
}

function chooseVersion(current: string, diff: ContractDiff | undefined): string {
  return diff && compareVersions(diff.needed, current) > 0 ? diff.needed : current
}

function refuseVersion(version: string, wanted: string | undefined, diff: ContractDiff): void {
  const { base, needed, step } = diff
  if (compareVersions(version, base.version) > 0 && compareVersions(version, needed) >= 0) return
  if (wanted === undefined) {
    throw new UsageError(
      `nothing to release: the contract is that of ${base.version}; if the code alone has changed, say which version: npm run release -- --version X.Y.Z`,
    )
  }
  const why =
    step === 'none' ? `${base.version} is out` : `the changes since ${base.version} need it`
  throw new UsageError(
    `--version ${wanted} is too low: it must be ${step === 'none' ? 'higher than' : 'at least'} ${needed}, because ${why}`,
  )
}

async function refuseFaults(
  spec: string,
  released: Released | undefined,
  today: Date,
): Promise<void> {
  const { faults } = await passGate({ spec, released, today })
  if (faults.length > 0) throw new DescriptionError(faults)
}
