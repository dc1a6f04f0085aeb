import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { parse } from 'yaml'
import { toObject } from '../pipeline/description.ts'
import { DescriptionError, UsageError } from '../pipeline/failure.ts'
import { projectPath, shortPath } from '../pipeline/project.ts'
import { askGit, checkOutTree, isRepository, treesFolder } from './git.ts'
import { compareVersions, parseVersion } from './version.ts'

const verify = ['rev-parse', '--verify', '--quiet', '--end-of-options']

/** A description that was released or committed. */
export interface Released {
  /** The tag, branch, commit or file that it comes from. */
  readonly ref: string
  readonly version: string
  /** A file that holds it; what it refers to is where it should be. */
  readonly file: string
}

/** Returns the path of a file, or where it is in git if it was checked out for a comparison. */
export function toRefPath(file: string, ref: string): string {
  const [, inTree] = file.split(`${treesFolder}/`)
  return inTree === undefined
    ? shortPath(file)
    : `${ref}:spec/${inTree.split('/').slice(1).join('/')}`
}

/** The description of the last release, in one piece; `npm run release` writes it. */
export const releasedFile = projectPath('spec/released.yaml')

/**
 * Finds the last release: that of the newest tag `vX.Y.Z` before HEAD, or `spec/released.yaml` where
 * there is no git, no tag, or a release that was not tagged; undefined before the first one.
 */
export async function findReleased(): Promise<Released | undefined> {
  const [tagged, kept] = await Promise.all([readTagged(), readKept()])
  if (tagged === undefined || kept === undefined) return tagged ?? kept
  // Of the same release the tag is used: what it has cannot have been edited since.
  return compareVersions(kept.version, tagged.version) > 0 ? kept : tagged
}

/** Returns what is wrong with `spec/released.yaml` if it is not as the newest tag has it, else ''. */
export async function checkKept(): Promise<string> {
  const tagged = await readTagged()
  const then = tagged && join(dirname(tagged.file), basename(releasedFile))
  if (tagged === undefined || then === undefined || !existsSync(then)) return ''
  const read = async (file: string) => (existsSync(file) ? await readFile(file, 'utf8') : undefined)
  if ((await read(releasedFile)) === (await read(then))) return ''
  const [kept, { ref }] = [shortPath(releasedFile), tagged]
  return `${kept} is not as ${ref} has it, and only a release may write it; if a newer one was tagged: git fetch --tags; if one was never tagged: npm run release; else: git checkout ${ref} -- ${kept}`
}

/** Reads the description as it was at a ref of git; throws where there is none. */
export async function readRef(ref: string): Promise<Released> {
  if (!(await isRepository())) {
    throw new UsageError(`${ref} cannot be looked up: this folder is no repository of git`)
  }
  const found = await askGit(...verify, `${ref}^{commit}`)
  if (found === undefined) {
    throw new UsageError(`git knows no ref ${ref}; give a tag, a branch or a commit`)
  }
  const description = await readAt(found, ref)
  if (description !== undefined) return description
  throw new UsageError(`there is no spec/openapi.yaml at ${ref}`)
}

async function readTagged(): Promise<Released | undefined> {
  const tags = await askGit('tag', '--list', 'v*', '--merged=HEAD')
  if (tags === undefined || !(await isRepository())) return undefined
  const versions = tags.split('\n').map((tag) => tag.slice(1))
  const newest = versions
    .filter((version) => parseVersion(version))
    .toSorted(compareVersions)
    .at(-1)
  return newest === undefined ? undefined : readAt(`refs/tags/v${newest}`, `v${newest}`)
}

async function readKept(): Promise<Released | undefined> {
  return existsSync(releasedFile) ? read(releasedFile, shortPath(releasedFile)) : undefined
}

async function readAt(commit: string, ref: string): Promise<Released | undefined> {
  const tree = await askGit(...verify, `${commit}:spec`)
  if (tree === undefined) return undefined
  const file = join(await checkOutTree(tree), 'openapi.yaml')
  return existsSync(file) ? read(file, ref) : undefined
}

async function read(file: string, ref: string): Promise<Released> {
  try {
    return { ref, version: versionOf(parse(await readFile(file, 'utf8'))), file }
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error)
    throw new DescriptionError([`the description of ${ref} cannot be read: ${reason}`])
  }
}

/** Returns the version that a description says it has. */
export function versionOf(description: unknown): string {
  return String(toObject(toObject(description)['info'])['version'])
}
