import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { projectPath } from '../pipeline/project.ts'
import { listEntries, listImportable, readManifest, toPublished } from './manifest.ts'
import { bundleModules } from './modules.ts'
import { declareTypes } from './types.ts'

/** The text of every file of a package, by its path in it. */
export type Package = ReadonlyMap<string, string>

/** Makes the client's package, in memory; throws a `BuildError` when it cannot be made. */
export async function buildPackage(): Promise<Package> {
  const manifest = await readManifest()
  const entries = listEntries(manifest)
  const [types, modules, readme, license] = await Promise.all([
    declareTypes(entries),
    bundleModules(entries, listImportable(manifest)),
    readFile(projectPath('client/README.md'), 'utf8'),
    readFile(projectPath('LICENSE'), 'utf8'),
  ])
  return new Map([
    ['package.json', `${JSON.stringify(toPublished(manifest), undefined, 2)}\n`],
    ['README.md', readme],
    ['LICENSE', license],
    ...modules,
    ...types,
  ])
}

/** Puts a package in the place of a folder, which holds nothing else afterwards. */
export async function writePackage(folder: string, files: Package): Promise<void> {
  // Beside it, because a folder can be renamed only within its file system.
  const fresh = `${folder}.${process.pid}`
  try {
    for (const [name, text] of files) {
      await mkdir(dirname(join(fresh, name)), { recursive: true })
      await writeFile(join(fresh, name), text)
    }
    await rm(folder, { recursive: true, force: true })
    await rename(fresh, folder)
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}
