import { join } from 'node:path'
import { DescriptionError } from '../pipeline/failure.ts'
import { runGit, tryGit } from '../pipeline/git.ts'

/** A file in a tree of git. */
export interface TreeEntry {
  readonly mode: string
  readonly object: string
  readonly path: string
}

/** Selects files by their path. */
export type Selects = (path: string) => boolean

/** Returns the files of a commit or a tree that are selected. */
export async function listTree(commit: string, selects: Selects): Promise<readonly TreeEntry[]> {
  const listed = await runGit(['ls-tree', '-r', '-z', '--full-tree', commit])
  const lines = listed.split('\0').filter((line) => line !== '')
  const entries = lines.map((line) => {
    const [facts = '', path = ''] = line.split('\t')
    const [mode = '', , object = ''] = facts.split(' ')
    return { mode, object, path }
  })
  return entries.filter(({ path }) => selects(path))
}

/** Writes a tree of these files to the repository; returns its object name. */
export async function writeTree(
  entries: readonly TreeEntry[],
  temporaryFolder: string,
): Promise<string> {
  const indexFile = join(temporaryFolder, 'index')
  const input = entries.map(({ mode, object, path }) => `${mode} ${object}\t${path}\0`).join('')
  await runGit(['read-tree', '--empty'], { indexFile })
  await runGit(['update-index', '-z', '--index-info'], { indexFile, input })
  return runGit(['write-tree'], { indexFile })
}

/** A tree in which two others were merged; files with conflicts have markers, as `git merge` writes them. */
export interface MergedTree {
  readonly tree: string
  /** The three versions of each file with a conflict, in the form of `git update-index --index-info`. */
  readonly conflicts: readonly string[]
}

/** What a person has configured for other merges would change what an upgrade does. */
const mergeSettings = [
  ...['-c', 'merge.renames=true'],
  // A file that a project has added to a folder of the platform stays there, also if the folder is renamed.
  ...['-c', 'merge.directoryRenames=false'],
]

/** Merges the changes between two trees into a third one. */
export async function mergeTrees(base: string, ours: string, theirs: string): Promise<MergedTree> {
  const baseCommit = await commitTree(base, [])
  const ourCommit = await commitTree(ours, [baseCommit])
  const theirCommit = await commitTree(theirs, [baseCommit])
  const args = ['merge-tree', '--write-tree', '-z', '--no-messages', ourCommit, theirCommit]
  const { status, output, errors } = await tryGit([...mergeSettings, ...args])
  if (status !== 0 && status !== 1) {
    throw new DescriptionError([`git merge-tree failed, which needs git 2.38 or later: ${errors}`])
  }

  const [tree = '', ...lines] = output.split('\0').filter((line) => line !== '')
  return { tree, conflicts: lines }
}

/** Creates a commit that no branch has; returns its object name. */
function commitTree(
  tree: string,
  parents: readonly string[],
  message = 'Platform',
): Promise<string> {
  const ofParents = parents.flatMap((parent) => ['-p', parent])
  return runGit(['commit-tree', tree, ...ofParents, '-m', message])
}
