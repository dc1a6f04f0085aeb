import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import { runChecks } from './check.ts'
import { compareDescriptions } from './diff/compare.ts'
import type { ContractDiff } from './diff/contract-diff.ts'
import { askGit, isRepository, runGit } from './diff/git.ts'
import { findReleased, versionOf } from './diff/released.ts'
import { compareVersions, parseVersion } from './diff/version.ts'
import { passGate } from './gate/gate.ts'
import { DescriptionError, runCommand, toUsageError, UsageError } from './pipeline/failure.ts'
import { projectSpec, shortPath } from './pipeline/project.ts'
import { findEntry, printEntry } from './release/changelog.ts'
import { makeRelease, readChangelog, releaseFiles, tagRelease } from './release/release.ts'

const usage = 'usage: npm run release -- [--dry-run] [--version X.Y.Z]'

/** What a release is going to do. */
interface Plan {
  readonly version: string
  /** Its entry in the changelog. */
  readonly entry: string
  /** Whether all but the tag is committed already. */
  readonly isTagMissing: boolean
}

await runCommand(async () => {
  const { isDryRun, wanted } = readOptions()
  await requireRepository(isDryRun)
  const plan = await planRelease(wanted)
  const { version, entry, isTagMissing } = plan
  if (!isDryRun && !(await runChecks({ isTagMissing }))) {
    const advice = 'fix what is listed above, commit it, and run: npm run release'
    throw new DescriptionError([`nothing was released, because the checks failed; ${advice}`])
  }
  show(plan)
  if (isDryRun) return console.log('\nnothing was changed: this was a dry run')
  // From here it takes a moment, and Ctrl-C would leave it half done.
  process.on('SIGINT', () => undefined)
  await (isTagMissing ? tagRelease(version, entry) : makeRelease(version, entry))
  console.log(`\nreleased ${version}; to publish it: git push --follow-tags`)
})

function readOptions() {
  const { 'dry-run': isDryRun, version: wanted } = toUsageError(usage, () =>
    parseArgs({
      options: { 'dry-run': { type: 'boolean', default: false }, version: { type: 'string' } },
    }),
  ).values
  if (wanted !== undefined && parseVersion(wanted) === undefined) {
    throw new UsageError(`--version is three numbers, such as 1.2.0, not '${wanted}'; ${usage}`)
  }
  return { isDryRun, wanted }
}

/** Rejects what is not committed: the tag would not be what was checked. */
async function requireRepository(isDryRun: boolean): Promise<void> {
  if (!(await isRepository())) {
    throw new UsageError(
      'this folder is no repository of git, which a release is tagged in; run: git init',
    )
  }
  const changed = isDryRun ? '' : await runGit(['status', '--porcelain'])
  if (changed === '') return
  throw new UsageError(
    `there are changes that are not committed; commit them, or undo them with git restore and git clean, then release:\n${changed}`,
  )
}

async function planRelease(wanted: string | undefined): Promise<Plan> {
  const released = await findReleased()
  const description: unknown = parse(await readFile(projectSpec, 'utf8'))
  const diff = released && (await compareDescriptions(released.file, projectSpec, released.ref))
  const version = wanted ?? chooseVersion(versionOf(description), diff)
  const isTagged =
    (await askGit('rev-parse', '--verify', '--quiet', `refs/tags/v${version}`)) !== undefined
  // Such is the first release of a project that was handed over without its history.
  if (diff?.step === 'none' && version === diff.base.version && !isTagged) {
    const entry = findEntry(await readChangelog(), version)
    return { version, entry: entry ?? printEntry(version, diff, description), isTagMissing: true }
  }
  if (diff !== undefined) requireHigher(version, wanted, diff)
  if (isTagged) {
    throw new UsageError(
      `v${version} is tagged already, elsewhere; merge it, or name another version`,
    )
  }
  const { errors } = await passGate({ spec: projectSpec, released, today: new Date(), version })
  if (errors.length > 0) throw new DescriptionError(errors)
  return { version, entry: printEntry(version, diff, description), isTagMissing: false }
}

function chooseVersion(current: string, diff: ContractDiff | undefined): string {
  return diff && compareVersions(diff.needed, current) > 0 ? diff.needed : current
}

function requireHigher(version: string, wanted: string | undefined, diff: ContractDiff): void {
  const { base, needed, step } = diff
  if (compareVersions(version, base.version) > 0 && compareVersions(version, needed) >= 0) return
  if (wanted === undefined) {
    throw new UsageError(
      `nothing to release: the contract is that of ${base.version}; if the code alone has changed, name a version: npm run release -- --version X.Y.Z`,
    )
  }
  const limit =
    step === 'none'
      ? `higher than ${base.version}, which is released`
      : `at least ${needed}, because the changes since ${base.version} need it`
  throw new UsageError(`--version ${wanted} is too low: it must be ${limit}`)
}

function show({ version, entry, isTagMissing }: Plan): void {
  const files = releaseFiles.map((file) => `  ${shortPath(file)}`)
  const lines = isTagMissing
    ? [`release ${version} is committed already; only its tag is missing`]
    : [`release ${version} writes:`, ...files]
  console.log([...lines, `it is tagged v${version}`, '', entry].join('\n'))
}
