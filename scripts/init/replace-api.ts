import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rm, rmdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { reasonOf } from '../../server/process/operator-error.ts'
import { compile } from '../pipeline/artifacts.ts'
import { DescriptionError } from '../pipeline/failure.ts'
import { writeFolder } from '../pipeline/output-folder.ts'
import { runProgram } from '../pipeline/programs.ts'
import { projectOutput, projectPath, projectSpec } from '../pipeline/project.ts'
import { buildReference } from '../pipeline/reference.ts'
import { api, made, merged, ownerOf } from '../platform/ownership.ts'
import type { FileContents } from './api-half.ts'

/** What a project keeps of the API's half: the licence of the platform, until the team adds its own. */
const keptFiles = ['LICENSE']

/**
 * Replaces the half of the project that belongs to its API by other files, and what is generated of it.
 * If anything fails, all of it is as it was before.
 */
export async function replaceApi(files: FileContents): Promise<void> {
  const changed = [...api, ...merged, ...made]
  await changeOrRestore(projectPath(), changed, async () => {
    for (const entry of api) {
      await removeApiFiles(entry.replace(/\/$/, ''))
    }
    await writeFiles(files)
    await generate()
    await format([...files.keys()])
  })
}

/**
 * Changes files and folders of a folder. If the change fails, they are restored from a copy, which is kept where
 * this fails, too.
 */
export async function changeOrRestore(
  folder: string,
  entries: readonly string[],
  change: () => Promise<void>,
): Promise<void> {
  const backup = await mkdtemp(join(tmpdir(), 'replaced-api-'))
  await copyExisting(entries, folder, backup)
  try {
    await change()
  } catch (error) {
    await restore(folder, entries, backup, error)
    await rm(backup, { recursive: true })
    throw error
  }
  await rm(backup, { recursive: true })
}

/** Restores files and folders from their copy; throws an error with the place of the copy if this fails. */
async function restore(
  folder: string,
  entries: readonly string[],
  backup: string,
  reason: unknown,
): Promise<void> {
  try {
    for (const entry of entries) {
      await rm(join(folder, entry), { recursive: true, force: true })
    }
    await copyExisting(entries, backup, folder)
  } catch (error) {
    throw new DescriptionError([
      reasonOf(reason),
      `The project could not be restored: ${reasonOf(error)}`,
      `All files that the command changes are in ${backup} as they were. Copy them to ${folder}.`,
    ])
  }
}

async function copyExisting(entries: readonly string[], from: string, to: string): Promise<void> {
  for (const entry of entries.filter((name) => existsSync(join(from, name)))) {
    await cp(join(from, entry), join(to, entry), { recursive: true })
  }
}

/** Removes a file of the API, or those in a folder, with the folders that are empty then. */
async function removeApiFiles(path: string): Promise<void> {
  const entries = await readdir(projectPath(path), { withFileTypes: true }).catch(() => undefined)
  if (entries === undefined) {
    const isRemoved = ownerOf(path) === 'api' && !keptFiles.includes(path)
    if (isRemoved) {
      await rm(projectPath(path), { force: true })
    }
    return
  }

  for (const { name } of entries) {
    await removeApiFiles(`${path}/${name}`)
  }
  const left = await readdir(projectPath(path))
  if (left.length === 0) {
    await rmdir(projectPath(path))
  }
}

async function writeFiles(files: FileContents): Promise<void> {
  for (const [path, content] of files) {
    await mkdir(dirname(projectPath(path)), { recursive: true })
    await writeFile(projectPath(path), content)
  }
}

/** Compiles the new description, as `npm run generate` does. */
async function generate(): Promise<void> {
  const { artifacts } = await compile(projectSpec, 'strict')
  await writeFolder(projectOutput, artifacts)
  await buildReference(projectOutput)
}

/** Formats code that was written from templates: where its lines break depends on the length of names. */
async function format(paths: readonly string[]): Promise<void> {
  const code = paths.filter((path) => /\.ts$|package\.json$/.test(path))
  const findings = await runProgram('@biomejs/biome/bin/biome', ['check', '--write', ...code])
  if (findings.length > 0) {
    throw new DescriptionError([
      'nothing was changed: the linter rejects the new code:',
      ...findings,
    ])
  }
}
