import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { project } from '../../../helpers/program.ts'
import { createConsumer, install, packClient } from './support/consumer.ts'
import { runMock, runSnippets } from './support/readme.ts'
import { checkTypes, everywhere, inCommonJs, withTools } from './support/types.ts'

// Other versions are installed first, and old compilers are slow.
const timeout = 600_000

/** Installs a version of a package, unless the cache of the project has it; returns a file of it. */
async function installed(name: string, version: string, file: string): Promise<string> {
  const folder = join(project, 'node_modules/.cache/versions', `${name}-${version}`)
  const path = join(folder, 'node_modules', name, file)
  if (!existsSync(path)) {
    await mkdir(folder, { recursive: true })
    await install(folder, '--prefix', folder, `${name}@${version}`)
  }
  return path
}

/** Returns the program of a major version of Node. */
function findNode(major: number): Promise<string> {
  const { platform, arch } = process
  // As the package `node` does it, which picks one of these by the machine.
  const system = platform === 'win32' ? 'win' : platform
  const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'
  const file = platform === 'win32' ? 'bin/node.exe' : 'bin/node'
  return installed(`${prefix}-${system}-${arch}`, `${major}`, file)
}

const tarball = await packClient()
const folder = await createConsumer(tarball)
const folderWithMsw2 = await createConsumer(tarball, '2')

test.each([20, 22, 24])(
  'the snippets of the README work on Node %i, with MSW 2',
  { timeout },
  async (major) => {
    const node = await findNode(major)
    expect(await runSnippets(node, folderWithMsw2)).toContain(`v${major}.`)
    expect(await runMock(node, folderWithMsw2)).toBe('200\n')
  },
)

test.each([
  ['5.4', everywhere],
  ['5.9', withTools],
  ['6.0', withTools],
])('the types of the package compile with TypeScript %s', { timeout }, async (version, configs) => {
  const compiler = await installed('typescript', `~${version}`, 'bin/tsc')
  await checkTypes(folder, compiler, configs)
  await checkTypes(folderWithMsw2, compiler, inCommonJs)
})
