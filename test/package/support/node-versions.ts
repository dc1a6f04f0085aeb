import { join } from 'node:path'
import { project } from '../../pipeline/support/workspace.ts'
import { install } from './command.ts'
import { makeOnce } from './make-once.ts'

const { platform, arch, version } = process

// As the package `node` does it, which picks one of these by the machine.
const system = platform === 'win32' ? 'win' : platform
const name = `${platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'}-${system}-${arch}`
const binary = platform === 'win32' ? 'bin/node.exe' : 'bin/node'

/** The program of a release line of Node, kept in the cache of the project. */
export async function findNode(major: number): Promise<string> {
  if (version.startsWith(`v${major}.`)) return process.execPath
  const folder = join(project, 'node_modules/.cache/nodes', String(major))
  await makeOnce(folder, (fresh) => install(fresh, '--prefix', fresh, `${name}@${major}`))
  return join(folder, 'node_modules', name, binary)
}
