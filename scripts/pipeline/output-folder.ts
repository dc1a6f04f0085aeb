import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Artifacts } from './artifacts.ts'
import { referenceFolder } from './reference.ts'

/** Compares a folder with the artifacts, which alone belong there; returns the problem of each file, by name. */
export async function compareFolder(
  folder: string,
  artifacts: Artifacts,
): Promise<ReadonlyMap<string, string>> {
  const present = existsSync(folder) ? await readdir(folder) : []
  const problems = new Map<string, string>()
  for (const [name, text] of artifacts) {
    const isPresent = present.includes(name)
    if (isPresent && (await readFile(join(folder, name), 'utf8')) === text) {
      continue
    }
    problems.set(name, `is ${isPresent ? 'stale' : 'missing'}; run: npm run generate`)
  }
  for (const name of present) {
    if (artifacts.has(name) || name === referenceFolder) {
      continue
    }
    problems.set(name, 'does not come from the spec; delete or move it')
  }
  return problems
}

/** Updates a folder and returns which files changed. */
export async function writeFolder(folder: string, artifacts: Artifacts): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const problems = await compareFolder(folder, artifacts)
  const changed = [...artifacts.keys()].filter((name) => problems.has(name))
  // A process that reads meanwhile sees the old file or the new one, never a part of it.
  for (const name of changed) {
    const temporary = join(folder, `.${name}.${process.pid}.tmp`)
    await writeFile(temporary, artifacts.get(name) ?? '')
    await rename(temporary, join(folder, name))
  }
  return changed
}
