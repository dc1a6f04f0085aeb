import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import { runChecks } from './checks/run-checks.ts'
import { compareDescriptions } from './diff/compare.ts'
import type { ContractDiff } from './diff/contract-diff.ts'
import { askGit, findReleased, isRepository, runGit, versionOf } from './diff/released.ts'
import { compareVersions, isVersion } from './diff/version.ts'
import { passGate } from './gate/gate.ts'
import { DescriptionError, runCommand, toUsageError, UsageError } from './pipeline/failure.ts'
import { projectSpec, shortPath } from './pipeline/project.ts'
import { printEntry } from './release/changelog.ts'
import { makeRelease, releaseFiles } from './release/release.ts'

const usage = 'usage: npm run release -- [--dry-run] [--version X.Y.Z]'

await runCommand(async () => {
  const { isDryRun, wanted } = readOptions()
  await requireRepository(isDryRun)
  const { version, entry } = await planRelease(wanted)
  if (!isDryRun && !(await runChecks())) {
    const advice = 'fix what is listed above, commit it, and run: npm run release'
    throw new DescriptionError([`nothing was released, because the checks failed; ${advice}`])
  }
  const files = releaseFiles.map((file) => `  ${shortPath(file)}`)
  const tag = `it is tagged v${version}`
  console.log([`release ${version} writes:`, ...files, tag, '', entry].join('\n'))
  if (isDryRun) return console.log('\nnothing was changed: this was a dry run')
  // From here it takes a moment, and Ctrl-C would leave it half done.
  process.on('SIGINT', () => undefined)
  await makeRelease(version, entry)
  console.log(`\nreleased ${version}; to publish it: git push --follow-tags`)
})

function readOptions() {
  const { 'dry-run': isDryRun, version: wanted } = toUsageError(usage, () =>
    parseArgs({
      options: { 'dry-run': { type: 'boolean', default: false }, version: { type: 'string' } },
    }),
  ).values
  if (wanted !== undefined && !isVersion(wanted)) {
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

/** Returns the version to release and its entry in the changelog. */
async function planRelease(wanted: string | undefined) {
  const released = await findReleased()
  const current = versionOf(parse(await readFile(projectSpec, 'utf8')))
  const diff = released && (await compareDescriptions(released.file, projectSpec, released.ref))
  const isTooLow = diff && compareVersions(diff.needed, current) > 0
  const version = wanted ?? (isTooLow ? diff.needed : current)
  if (diff !== undefined) requireHigher(version, wanted, diff)
  if (await askGit('rev-parse', '--verify', '--quiet', `refs/tags/v${version}`)) {
    throw new UsageError(
      `v${version} is tagged already, elsewhere; merge it, or name another version`,
    )
  }
  const { errors } = await passGate({ spec: projectSpec, released, today: new Date(), version })
  if (errors.length > 0) throw new DescriptionError(errors)
  return { version, entry: printEntry(version, diff) }
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
