import packageJson from '../../package.json' with { type: 'json' }
import ownership from '../../platform.json' with { type: 'json' }
import { runGit } from '../pipeline/git.ts'
import type { Marker } from './marker.ts'

/**
 * Whose a file of the project is: the API's, the platform's, of both (merged by key), or made by a
 * command from other files.
 */
export type Owner = 'api' | 'platform' | 'merged' | 'made'

/** The lists of `platform.json`. */
export type Ownership = Readonly<Record<keyof typeof ownership, readonly string[]>>

/** The files and folders of each owner, as `platform.json` lists them; a folder ends with a slash. */
export const { api, platformInsideApi, merged, made } = ownership

/**
 * Returns whose a file is, by its path from the root of the project. A file that no list has is the
 * platform's if the platform has it, else the API's: `listPlatformFiles` tells.
 */
export function ownerOf(path: string, lists: Ownership = ownership): Owner {
  if (isListed(path, lists.platformInsideApi)) {
    return 'platform'
  }
  if (isListed(path, lists.api)) {
    return 'api'
  }
  if (isListed(path, lists.merged)) {
    return 'merged'
  }
  return isListed(path, lists.made) ? 'made' : 'platform'
}

function isListed(path: string, entries: readonly string[]): boolean {
  return entries.some((entry) => (entry.endsWith('/') ? path.startsWith(entry) : path === entry))
}

/** Returns the files of the platform that git knows in this checkout, sorted by path. */
export async function listPlatformFiles(): Promise<readonly string[]> {
  const files = (await listTrackedFiles()).filter((path) => ownerOf(path) === 'platform')
  const atCommit = await listFilesAtPlatformCommit()
  return atCommit === undefined ? files : files.filter((path) => atCommit.has(path))
}

/**
 * Returns the files that the platform has at the commit that `package.json` names; undefined in the platform
 * itself, and where the commit is not in the repository.
 */
async function listFilesAtPlatformCommit(): Promise<ReadonlySet<string> | undefined> {
  // `init` writes the key.
  const { platform } = packageJson as { readonly platform?: Partial<Marker> }
  const commit = platform?.commit
  if (commit === undefined) {
    return undefined
  }
  const listed = await runGit(['ls-tree', '-r', '-z', '--name-only', commit]).catch(() => undefined)
  return listed === undefined ? undefined : new Set(listed.split('\0'))
}

/** Returns all files that git knows in this checkout, sorted by path. */
export async function listTrackedFiles(): Promise<readonly string[]> {
  const listed = await runGit(['ls-files', '-z'])
  return listed.split('\0').filter((path) => path !== '')
}
