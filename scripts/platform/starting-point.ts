import type { JsonObject } from '../../server/description/json.ts'
import { UsageError } from '../../server/process/options.ts'
import { runGit, tryGit } from '../pipeline/git.ts'
import { fetchCommit, hasCommit } from './fetch.ts'
import { readMarker } from './marker.ts'
import { readOrigin, readPublished } from './repository.ts'

/**
 * Returns the repository of the platform that a manifest names. A project that was begun without `init` has
 * no marker: it kept the address under `repository`, or is a clone of the platform.
 */
export async function findRepository(manifest: JsonObject): Promise<string> {
  const { repository } = readMarker(manifest)
  const address = repository ?? readPublished(manifest) ?? (await readOrigin())
  if (address !== undefined) {
    return address
  }

  throw new UsageError('package.json names no repository of the platform; give it with --from')
}

/**
 * Returns the commit of the platform from which an upgrade begins: the one that the manifest names, or else
 * the newest one that this project shares with the platform.
 */
export async function findStart(
  manifest: JsonObject,
  repository: string,
  target: string,
): Promise<string> {
  const { commit } = readMarker(manifest)
  if (commit === undefined) {
    return findSharedCommit(repository, target)
  }

  if (!(await hasCommit(commit))) {
    await fetchCommit(repository, commit)
  }
  return commit
}

async function findSharedCommit(repository: string, target: string): Promise<string> {
  const { status, output } = await tryGit(['merge-base', 'HEAD', target])
  const shared = output.trim()
  if (status !== 0) {
    const isShallow = (await runGit(['rev-parse', '--is-shallow-repository'])) === 'true'
    const advice = isShallow
      ? 'this clone is shallow: run git fetch --unshallow'
      : 'write there from which commit of the platform this project was begun: "platform": { "repository": "…", "commit": "…" }'
    throw new UsageError(
      `package.json has no "platform" with a "commit", and this project shares no commit with ${repository}; ${advice}`,
    )
  }
  const isUnchanged = shared !== target && shared === (await runGit(['rev-parse', 'HEAD']))
  if (!isUnchanged) {
    return shared
  }

  throw new UsageError(
    'this clone of the platform has no commits of its own: git pull takes the newest version, with its API',
  )
}

/** Returns whether a commit is among those that led to another one. */
export async function isOlder(commit: string, other: string): Promise<boolean> {
  const { status } = await tryGit(['merge-base', '--is-ancestor', commit, other])
  return status === 0
}
