import { join } from 'node:path'
import { project } from '../../pipeline/support/workspace.ts'
import { install } from './command.ts'
import { makeOnce } from './make-once.ts'

// What the project has of TypeScript already.
const own = new Map([
  ['5.9', 'typescript'],
  ['7.0', 'typescript7'],
])

/** The compiler of a release line of TypeScript, kept in the cache of the project. */
export async function findCompiler(version: string): Promise<string> {
  const name = own.get(version)
  if (name !== undefined) return join(project, 'node_modules', name, 'bin/tsc')
  const folder = join(project, 'node_modules/.cache/compilers', version)
  await makeOnce(folder, (fresh) => install(fresh, '--prefix', fresh, `typescript@~${version}`))
  return join(folder, 'node_modules/typescript/bin/tsc')
}
