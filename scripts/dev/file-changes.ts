import { hash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** How the files of some folders differ from what they were, by absolute path. */
export interface FileChanges {
  readonly changed: readonly string[]
  readonly created: readonly string[]
  readonly deleted: readonly string[]
}

/** No change at all. */
export const noChanges: FileChanges = { changed: [], created: [], deleted: [] }

/** Whether anything changed. */
export function isChange({ changed, created, deleted }: FileChanges): boolean {
  return changed.length + created.length + deleted.length > 0
}

/** Every file of some changes. */
export function filesOf({ changed, created, deleted }: FileChanges): readonly string[] {
  return [...changed, ...created, ...deleted].sort()
}

/** The changes of some files only. */
export function only(changes: FileChanges, isWanted: (file: string) => boolean): FileChanges {
  return {
    changed: changes.changed.filter(isWanted),
    created: changes.created.filter(isWanted),
    deleted: changes.deleted.filter(isWanted),
  }
}

// Nobody writes these by hand.
const made = /[/\\](?:node_modules|dist(?:\.[^/\\]*)?)[/\\]/

interface Seen {
  readonly stamp: string
  readonly digest: string
}

/** Files as they were when they were looked at. */
export type Look = ReadonlyMap<string, Seen>

// What editors leave beside a file while they save it has no ending, or one of these.
const passing = /(?:^\.|^#|~$|\.(?:tmp|swp|swx|bak|orig)$)|^[^.]+$/

/** Looks at every file at or below some paths; one that was not touched is not read again. */
export async function lookAt(paths: readonly string[], before: Look): Promise<Look> {
  const files = (await Promise.all(paths.map(listFiles))).flat()
  const seen = await Promise.all(
    files.map(async (file) => [file, await see(file, before)] as const),
  )
  return new Map(seen.flatMap(([file, what]) => (what === undefined ? [] : [[file, what]])))
}

async function listFiles(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true, recursive: true })
    return entries
      .filter((entry) => entry.isFile() && !passing.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => !made.test(file))
  } catch {
    // It is a file, or it is gone for a moment.
    return [path]
  }
}

async function see(file: string, before: Look): Promise<Seen | undefined> {
  try {
    const { mtimeNs, ctimeNs, size, ino } = await stat(file, { bigint: true })
    const stamp = [mtimeNs, ctimeNs, size, ino].join(' ')
    const known = before.get(file)
    if (known?.stamp === stamp) return known
    return { stamp, digest: hash('sha256', await readFile(file)) }
  } catch {
    return undefined
  }
}

/** How files differ between two looks, by their contents alone. */
export function compareLooks(before: Look, after: Look): FileChanges {
  const files = [...after.keys()]
  return {
    changed: files.filter((file) => {
      const known = before.get(file)
      return known !== undefined && known.digest !== after.get(file)?.digest
    }),
    created: files.filter((file) => !before.has(file)),
    deleted: [...before.keys()].filter((file) => !after.has(file)),
  }
}
