import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { projectPath } from '../pipeline/project.ts'

const execute = promisify(execFile)

/** Returns what git prints, run in the project's folder; undefined if it fails or is not installed. */
export async function askGit(...args: readonly string[]): Promise<string | undefined> {
  try {
    return await runGit(args)
  } catch {
    return undefined
  }
}

/** Returns what git prints, run in the project's folder; throws if it fails. */
export async function runGit(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const options = { cwd: projectPath(), maxBuffer: 1e8, env: { ...process.env, ...env } }
  const { stdout } = await execute('git', [...args], options)
  return stdout.trim()
}

/** Tells whether the project's folder is the root of a repository of git. */
export async function isRepository(): Promise<boolean> {
  return (await askGit('rev-parse', '--show-prefix')) === ''
}

/** Holds the files of trees of git, by their hashes. */
export const treesFolder = projectPath('node_modules/.cache/contract-diff')

/** Writes the files of a tree of git, such as that of `spec`, to a folder, which is kept as a cache. */
export async function checkOutTree(tree: string): Promise<string> {
  const folder = join(treesFolder, tree)
  if (existsSync(folder)) return folder
  await mkdir(dirname(folder), { recursive: true })
  const temporary = await mkdtemp(`${folder}-`)
  try {
    const env = { GIT_INDEX_FILE: join(temporary, 'index') }
    const files = join(temporary, 'files')
    await runGit(['read-tree', tree], env)
    await runGit(['checkout-index', '--all', `--prefix=${files}/`], env)
    // Another process may have made the same folder meanwhile.
    await rename(files, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error
    })
    return folder
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}
