import { existsSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../../server/process/options.ts'
import { askGit, isRepository, runGit } from '../pipeline/git.ts'
import { projectPath, shortPath } from '../pipeline/project.ts'
import { isVersion } from '../pipeline/version.ts'
import { compareVersions } from './contract-diff.ts'

/** A description that was released or committed. */
export interface Released {
  /** The tag, branch, commit or file that it comes from. */
  readonly ref: string
  /** A file that holds it; what it refers to is where it should be. */
  readonly file: string
}

/** The description of the last release, in one piece; `npm run release` writes it. */
export const releasedFile = projectPath('spec/released.yaml')
/** The path, without its end, of the folders into which trees of git are written. */
const treesFolder = join(tmpdir(), 'contract-diff-')

/** Returns the path of a file, or where it is in git if it was checked out for a comparison. */
export function toRefPath(file: string, ref: string): string {
  const [, inTree] = file.split(treesFolder)
  return inTree === undefined ? shortPath(file) : inTree.replace(/^[^/]*/, `${ref}:spec`)
}

/** Returns the last release; undefined before the first one. */
export function findReleased(): Released | undefined {
  return existsSync(releasedFile) ? { ref: shortPath(releasedFile), file: releasedFile } : undefined
}

/** Returns an error if `spec/released.yaml` is not as the newest tag has it, else ''. */
export async function checkKept(): Promise<string> {
  const tag = (await releaseTags()).at(-1)
  const compared = ['diff', '--name-only', '--diff-filter=MDT']
  if (tag === undefined || !(await askGit(...compared, tag, '--', releasedFile))) {
    return ''
  }
  const name = shortPath(releasedFile)
  return `${name} differs from ${tag}, and only npm run release writes it; if a newer one was tagged: git fetch --tags, and merge it; if one was never tagged, tag its commit; else: git checkout ${tag} -- ${name}`
}

/** Returns a note if this clone has no tag with which `spec/released.yaml` could be compared, else ''. */
export async function findMissingTags(): Promise<string> {
  const isShallow = (await askGit('rev-parse', '--is-shallow-repository')) === 'true'
  if (!isShallow || !existsSync(releasedFile) || (await releaseTags()).length > 0) {
    return ''
  }
  return `${shortPath(releasedFile)} was compared with no tag, because this clone is shallow; to get the tags: git fetch --unshallow --tags`
}

/** Reads the description as it was at a ref of git; throws where there is none. */
export async function readRef(ref: string): Promise<Released> {
  if (!(await isRepository())) {
    throw new UsageError(`${ref} cannot be looked up: this folder is not a git repository`)
  }
  const find = (name: string) =>
    askGit('rev-parse', '--verify', '--quiet', '--end-of-options', name)
  if ((await find(`${ref}^{commit}`)) === undefined) {
    throw new UsageError(`git ref ${ref} does not exist; give a tag, a branch or a commit`)
  }
  const tree = await find(`${ref}:spec`)
  const file = tree === undefined ? '' : join(await checkOutTree(tree), 'openapi.yaml')
  if (!existsSync(file)) {
    throw new UsageError(`there is no spec/openapi.yaml at ${ref}`)
  }
  return { ref, file }
}

/** Returns the tags of the releases before HEAD, the newest last. */
export async function releaseTags(): Promise<string[]> {
  const tags = (await isRepository()) && (await askGit('tag', '--list', 'v*', '--merged=HEAD'))
  const versions = (tags || '').split('\n').map((tag) => tag.slice(1))
  return versions
    .filter(isVersion)
    .toSorted(compareVersions)
    .map((version) => `v${version}`)
}

/** Writes the files of a tree of git, such as that of `spec`, to a folder, which this process removes. */
async function checkOutTree(tree: string): Promise<string> {
  const folder = await mkdtemp(treesFolder)
  process.once('exit', () => rmSync(folder, { recursive: true }))
  const indexFile = join(folder, '.index')
  await runGit(['read-tree', tree], { indexFile })
  await runGit(['checkout-index', '--all', `--prefix=${folder}/`], { indexFile })
  return folder
}
