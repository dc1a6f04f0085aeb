import { askGit, runGit } from '../diff/git.ts'
import { DescriptionError, UsageError } from '../pipeline/failure.ts'

/** Refuses to release what is not committed: the tag would not be what was tried. */
export async function refuseDirtyTree(): Promise<void> {
  const changed = await runGit(['status', '--porcelain'])
  if (changed === '') return
  throw new UsageError(
    `there are changes that are not committed; commit them, or undo them with git restore and git clean, then release:\n${changed}`,
  )
}

/** Whether a version is tagged. */
export async function isTagged(version: string): Promise<boolean> {
  return (await askGit('rev-parse', '--verify', '--quiet', `refs/tags/v${version}`)) !== undefined
}

/**
 * Commits the files of a release and tags it, with its entry of the changelog as the message; either
 * both are done or none is. Throws what git complains of.
 */
export async function recordRelease(
  version: string,
  entry: string,
  files: readonly string[],
): Promise<void> {
  const before = await runGit(['rev-parse', 'HEAD'])
  try {
    if (files.length > 0) {
      await callGit('add', '--', ...files)
      await callGit('commit', '--quiet', '--message', `Release ${version}`)
    }
    await callGit('tag', '--annotate', '--cleanup=verbatim', '--message', entry, `v${version}`)
  } catch (error) {
    // The files themselves are put back by whoever wrote them.
    await callGit('reset', '--quiet', '--mixed', before)
    throw error
  }
}

async function callGit(...args: readonly string[]): Promise<void> {
  try {
    await runGit(args)
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    throw new DescriptionError([`git ${args[0]} failed: ${(stderr || message).trim()}`])
  }
}
