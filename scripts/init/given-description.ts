import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, relative, sep } from 'node:path'
import type { JsonObject } from '../../server/description/json.ts'
import { bundleDescription, openDescription } from '../pipeline/bundle.ts'
import { projectPath } from '../pipeline/project.ts'

/** A description that was given to `init`. */
export interface GivenDescription {
  /** What it says, in one piece. */
  readonly description: JsonObject
  /** Its files as they are, by their paths below the folder that holds all of them. */
  readonly files: ReadonlyMap<string, Buffer>
  /** Where these files are. */
  readonly originals: readonly string[]
}

/** Reads a description, and the local files that it refers to. */
export async function readGivenDescription(file: string): Promise<GivenDescription> {
  const opened = await openDescription(file)
  const description = await bundleDescription(opened)

  // The resolver has read each file that a reference leads to; the platform's is no part of what was given.
  const read = [...opened.resolver.cache.keys()].filter(existsSync)
  const given = new Set([file, ...read])
  given.delete(projectPath('spec/platform.yaml'))

  const folder = commonFolder([...given])
  const files = new Map<string, Buffer>()
  for (const path of given) {
    files.set(relative(folder, path).replaceAll(sep, '/'), await readFile(path))
  }
  return { description, files, originals: [...given] }
}

/** Returns the innermost folder that holds all files. */
function commonFolder(files: readonly string[]): string {
  const isAbove = (folder: string) => files.every((file) => file.startsWith(`${folder}${sep}`))
  let folder = dirname(files[0] ?? '')
  while (!isAbove(folder) && dirname(folder) !== folder) {
    folder = dirname(folder)
  }
  return folder
}
