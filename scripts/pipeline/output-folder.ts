import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Artifacts } from './artifacts.ts'
import { referencePage } from './reference-page.ts'

/** How the files of a folder differ from what they should be. */
export interface Differences {
  readonly stale: readonly string[]
  readonly missing: readonly string[]
  readonly extra: readonly string[]
}

/** Compares a folder with the artifacts that belong there. */
export async function compareFolder(folder: string, artifacts: Artifacts): Promise<Differences> {
  const present = existsSync(folder) ? (await readdir(folder)).sort() : []
  const names = [...artifacts.keys()]
  const kept = names.filter((name) => present.includes(name))
  const texts = await Promise.all(kept.map((name) => readFile(join(folder, name), 'utf8')))
  return {
    stale: kept.filter((name, index) => texts[index] !== artifacts.get(name)),
    missing: names.filter((name) => !present.includes(name)),
    extra: present.filter((name) => !artifacts.has(name) && name !== referencePage),
  }
}

/** Updates a folder and returns which files changed. */
export async function writeFolder(folder: string, artifacts: Artifacts): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const { stale, missing } = await compareFolder(folder, artifacts)
  const changed = [...artifacts.keys()].filter((name) => [...stale, ...missing].includes(name))
  // A process that reads meanwhile sees the old file or the new one, never a part of it.
  for (const name of changed) {
    const temporary = join(folder, `.${name}.${process.pid}.tmp`)
    await writeFile(temporary, artifacts.get(name) ?? '')
    await rename(temporary, join(folder, name))
  }
  return changed
}
