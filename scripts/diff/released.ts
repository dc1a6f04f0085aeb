import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { parse } from 'yaml'
import { toObject } from '../pipeline/description.ts'
import { DescriptionError, UsageError } from '../pipeline/failure.ts'
import { projectPath, shortPath } from '../pipeline/project.ts'
import { askGit, checkOutTree, isRepository } from './git.ts'
import { compareVersions, parseVersion } from './version.ts'

/** A description of the past, to compare with. */
export interface Released {
  /** The tag, branch, commit or file that it comes from. */
  readonly ref: string
  readonly version: string
  /** A file that holds it; what it refers to is where it should be. */
  readonly file: string
}

/** The description of the last release, in one piece; `npm run release` writes it. */
export const releasedFile = projectPath('spec/released.yaml')

/**
 * The last release: that of the newest tag `vX.Y.Z` before HEAD, or `spec/released.yaml` where
 * there is no git, no tag, or a release that was not tagged; undefined before the first one.
 */
export async function findReleased(): Promise<Released | undefined> {
  const [tagged, kept] = await Promise.all([readTagged(), readKept()])
  if (tagged === undefined || kept === undefined) return tagged ?? kept
  // Of one and the same release the tag is believed: what it holds cannot have been edited since.
  return compareVersions(kept.version, tagged.version) > 0 ? kept : tagged
}

/** Says that `spec/released.yaml` is not as the newest tag has it, in a line; '' where it is. */
export async function doubtKept(): Promise<string> {
  const tagged = await readTagged()
  const then = tagged && join(dirname(tagged.file), basename(releasedFile))
  if (tagged === undefined || then === undefined || !existsSync(then)) return ''
  const read = async (file: string) => (existsSync(file) ? await readFile(file, 'utf8') : undefined)
  if ((await read(releasedFile)) === (await read(then))) return ''
  const [kept, { ref }] = [shortPath(releasedFile), tagged]
  return `${kept} is not as ${ref} has it, and only a release may write it; if a newer one was tagged: git fetch --tags; if one was never tagged: npm run release; else: git checkout ${ref} -- ${kept}`
}

/** The description as it was at a ref of git; throws where there is none. */
export async function readRef(ref: string): Promise<Released> {
  if (!(await isRepository())) {
    throw new UsageError(`${ref} cannot be looked up: this folder is no repository of git`)
  }
  const found = await askGit(
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${ref}^{commit}`,
  )
  if (found === undefined) {
    throw new UsageError(`git knows no ref ${ref}; give a tag, a branch or a commit`)
  }
  const description = await readAt(found, ref)
  if (description !== undefined) return description
  throw new UsageError(`there is no spec/openapi.yaml at ${ref}`)
}

async function readTagged(): Promise<Released | undefined> {
  // Refused, and so without an answer, outside of a repository.
  const tags = await askGit(
    'for-each-ref',
    '--merged=HEAD',
    '--format=%(refname:strip=2)',
    'refs/tags',
  )
  if (tags === undefined || !(await isRepository())) return undefined
  const versions = tags
    .split('\n')
    .map((tag) => (tag.startsWith('v') ? tag.slice(1) : ''))
    .filter((version) => parseVersion(version) !== undefined)
    .toSorted(compareVersions)
  const newest = versions.at(-1)
  return newest === undefined ? undefined : readAt(`refs/tags/v${newest}`, `v${newest}`)
}

async function readKept(): Promise<Released | undefined> {
  return existsSync(releasedFile) ? read(releasedFile, shortPath(releasedFile)) : undefined
}

async function readAt(commit: string, ref: string): Promise<Released | undefined> {
  const tree = await askGit(
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${commit}:spec`,
  )
  if (tree === undefined) return undefined
  const file = join(await checkOutTree(tree), 'openapi.yaml')
  return existsSync(file) ? read(file, ref) : undefined
}

async function read(file: string, ref: string): Promise<Released> {
  const text = await readFile(file, 'utf8')
  try {
    return { ref, version: String(toObject(toObject(parse(text))['info'])['version']), file }
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error)
    throw new DescriptionError([`the description of ${ref} cannot be read: ${reason}`])
  }
}
