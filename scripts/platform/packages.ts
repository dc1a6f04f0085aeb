import { glob, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { projectPath } from '../pipeline/project.ts'
import { ownerOf } from './ownership.ts'

/** Folders whose code was made, or is that of packages. */
const skipped: ReadonlySet<string> = new Set(['node_modules', 'generated', 'dist', 'data'])

/** The name of a package at the beginning of what is imported, such as `csv-parse/sync`. */
const imported = /\b(?:from|import|import\()\s*'((?:@[\w.-]+\/)?[\w.-]+)/g

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
