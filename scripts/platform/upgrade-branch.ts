import type { JsonObject } from '../../server/description/json.ts'
import { UsageError } from '../../server/process/options.ts'
import { isRepository, runGit, tryGit } from '../pipeline/git.ts'
import { readMarker } from './marker.ts'
import { readManifest } from './plan-upgrade.ts'

const prefix = 'platform-'
const ofUpgrade = /^platform-([0-9a-f]{8})$/

/** The branch of an upgrade, and the one on which it was begun. */
export interface UpgradeBranch {
  readonly name: string
  readonly previous: string
}

/** Returns the part of a commit's name that people read. */
export function short(commit: string): string {
  return commit.slice(0, 8)
}

/** Returns the commands that remove the branch of an upgrade. */
export function dropping({ name, previous }: UpgradeBranch): string {
  return `git switch --force ${previous} && git branch -D ${name} && npm ci`
}

/** Throws unless a branch is checked out, with nothing that is not committed. */
export async function requireCleanBranch(): Promise<void> {
  if (!(await isRepository())) {
    throw new UsageError('the folder of the project has to be the root of a repository of git')
  }
  const branch = await currentBranch()
  if (branch === 'HEAD') {
    throw new UsageError(
      'no branch is checked out, to which the upgrade could be merged: git switch one',
    )
  }
  const changes = await listUncommitted()
  await rejectUnfinished(branch, changes)
  if (changes === '') {
    return
  }

  throw new UsageError(`commit or discard these changes first:\n${changes}`)
}

/** Returns the branch for the upgrade to a commit; throws if there is one already. */
export async function planBranch(target: string): Promise<UpgradeBranch> {
  const name = prefix + short(target)
  const { status } = await tryGit(['rev-parse', '--verify', '--quiet', `refs/heads/${name}`])
  if (status !== 0) {
    return { name, previous: await currentBranch() }
  }

  throw new UsageError(
    `the branch ${name} exists, from an upgrade before: merge it, or remove it with git branch -D ${name}`,
  )
}

/** Returns the branch of an upgrade that waits for `--continue`; throws if there is none, or it has conflicts. */
export async function findWaitingUpgrade(manifest: JsonObject): Promise<UpgradeBranch> {
  const name = await currentBranch()
  const { commit = '' } = readMarker(manifest)
  const previous = await findPrevious()
  if (ofUpgrade.exec(name)?.[1] !== short(commit) || previous === undefined) {
    throw new UsageError(`there is no upgrade to continue on the branch ${name}`)
  }
  await requireResolved(previous)
  return { name, previous }
}

/** Throws on the branch of an upgrade that is not committed, such as one that was killed. */
async function rejectUnfinished(name: string, changes: string): Promise<void> {
  const target = ofUpgrade.exec(name)?.[1]
  if (target === undefined) {
    return
  }
  const { commit = '' } = readMarker(await readManifest('HEAD'))
  const previous = await findPrevious()
  if (short(commit) === target || previous === undefined) {
    return
  }

  const continuing = changes === '' ? '' : 'npm run upgrade -- --continue continues it; '
  throw new UsageError(
    `the upgrade on this branch has not ended; ${continuing}to drop it: ${dropping({ name, previous })}`,
  )
}

async function requireResolved(previous: string): Promise<void> {
  const unmerged = await runGit(['diff', '--name-only', '--diff-filter=U'])
  if (unmerged !== '') {
    throw new UsageError(`resolve the conflicts, and git add each of these files:\n${unmerged}`)
  }
  // It fails where it finds something, and finds spaces at the end of lines, too.
  const { output } = await tryGit(['diff', '--check', previous])
  const markers = output.split('\n').filter((line) => line.includes('leftover conflict marker'))
  if (markers.length > 0) {
    throw new UsageError(`resolve the conflicts in these lines first:\n${markers.join('\n')}`)
  }
}

/** Returns what is not committed, also where git is configured not to list new files. */
export function listUncommitted(): Promise<string> {
  return runGit(['status', '--porcelain', '--untracked-files=normal'])
}

function currentBranch(): Promise<string> {
  return runGit(['rev-parse', '--abbrev-ref', 'HEAD'])
}

/** Returns the branch from which the current one was switched to; undefined in a clone that has had no other. */
async function findPrevious(): Promise<string | undefined> {
  const { status, output } = await tryGit(['rev-parse', '--abbrev-ref', '@{-1}'])
  const branch = output.trim()
  return status === 0 && branch !== '' ? branch : undefined
}
