import { glob, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { tryGit } from '../pipeline/git.ts'
import { projectPath } from '../pipeline/project.ts'
import { ownerOf } from './ownership.ts'

/** Folders whose code was made, or is that of packages. */
const skipped: ReadonlySet<string> = new Set(['node_modules', 'generated', 'dist', 'data'])

/** The name of a package at the beginning of what is imported, such as `csv-parse/sync`. */
const imported = /\b(?:from|import|import\()\s*'((?:@[\w.-]+\/)?[\w.-]+)/g

/** A part of a line that imports something, for `git grep`. */
const importPattern = "(from|import|import[(]) *'[^']+'"

/**
 * Returns the dependencies in `package.json` that files of the API import and files of the platform do not:
 * they are the API's, all others are the platform's.
 */
export async function listApiPackages(): Promise<readonly string[]> {
  const ofApi = new Set<string>()
  const ofPlatform = new Set<string>()
  const exclude = (name: string) => skipped.has(basename(name))
  for await (const name of glob('**/*.{ts,js}', { cwd: projectPath(), exclude })) {
    const path = name.replaceAll('\\', '/')
    const packages = ownerOf(path) === 'api' ? ofApi : ofPlatform
    const code = await readFile(projectPath(path), 'utf8')
    for (const [, packageName = ''] of code.matchAll(imported)) {
      packages.add(packageName)
    }
  }

  const { dependencies, devDependencies } = packageJson
  const names = Object.keys({ ...dependencies, ...devDependencies })
  return names.filter((name) => ofApi.has(name) && !ofPlatform.has(name))
}

/** Returns the packages that files of the platform import in a commit. */
export async function listPlatformPackages(
  commit: string,
  isPlatform: (path: string) => boolean,
): Promise<ReadonlySet<string>> {
  const grep = ['grep', '-o', '-E', '-e', importPattern, commit, '--', '*.ts', '*.js']
  const { output } = await tryGit(grep)
  const packages = new Set<string>()
  for (const line of output.split('\n')) {
    // The commit and the path are in front, such as `HEAD:server/app.ts:from 'express'`.
    const [, path = ''] = line.split(':')
    for (const [, packageName = ''] of isPlatform(path) ? line.matchAll(imported) : []) {
      packages.add(packageName)
    }
  }
  return packages
}
