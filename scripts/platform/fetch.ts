import { UsageError } from '../../server/process/options.ts'
import { runGit, tryGit } from '../pipeline/git.ts'
import { withoutCredentials } from './repository.ts'

/**
 * Fetches a branch, a tag or a commit of a repository, with its history; returns the commit. No branch, tag
 * or `FETCH_HEAD` of the project changes.
 */
export async function fetchCommit(repository: string, ref: string): Promise<string> {
  const commit = await resolveRef(repository, ref)
  const fetching = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--', repository]
  // A server may give out a commit under the name of a branch or tag alone.
  const byName = await tryGit([...fetching, ref])
  const isThere = byName.status === 0 && (await hasCommit(commit))
  if (!isThere) {
    const { status, errors } = await tryGit([...fetching, commit])
    if (status !== 0) {
      const reason = errors.trim().split('\n')[0]
      throw new UsageError(
        `${withoutCredentials(repository)} does not give out ${ref}; --from names another repository: ${reason}`,
      )
    }
  }
  return runGit(['rev-parse', '--verify', `${commit}^{commit}`])
}

/** Returns whether the repository of the project has a commit. */
export async function hasCommit(commit: string): Promise<boolean> {
  const { status } = await tryGit(['cat-file', '-e', `${commit}^{commit}`])
  return status === 0
}

/** Returns the commit that a repository has under a name, as `git rev-parse` would find it there. */
async function resolveRef(repository: string, ref: string): Promise<string> {
  const { status, output, errors } = await tryGit(['ls-remote', '--', repository])
  const address = withoutCredentials(repository)
  if (status !== 0) {
    throw new UsageError(`${address} cannot be read; give another with --from: ${errors.trim()}`)
  }

  const commits = new Map<string, string>()
  for (const line of output.trim().split('\n')) {
    const [commit = '', name = ''] = line.split('\t')
    commits.set(name, commit)
  }

  // An annotated tag has an entry of its own for the commit that it names.
  const names = [`refs/tags/${ref}^{}`, `refs/tags/${ref}`, `refs/heads/${ref}`, ref]
  const commit = names.map((name) => commits.get(name)).find((each) => each !== undefined)
  if (commit !== undefined) {
    return commit
  }
  if (/^[0-9a-f]{40}$/.test(ref)) {
    return ref
  }

  throw new UsageError(`${address} has no ${ref}; --to takes a branch, a tag or a whole commit`)
}
