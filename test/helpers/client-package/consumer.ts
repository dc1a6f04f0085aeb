import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { startCommand } from '../program.ts'
import { createTemporaryFolder } from '../temporary-folder.ts'

/** Runs a command to its end; returns its output, or rejects with all that it printed. */
export async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const options = { cwd, env, isShared: true }
  const { status, output, errorOutput } = await startCommand(command, args, options).ended
  if (status !== 0) {
    throw new Error(`${command} ${args.join(' ')}: ${output}${errorOutput}`)
  }
  return output
}

/** Installs packages into a folder, from npm's cache where that has them. */
export async function install(folder: string, ...packages: readonly string[]): Promise<void> {
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline']
  // Without a registry, it fails before a hook times out.
  const retries = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=45000']
  await run('npm', ['install', ...options, ...retries, ...packages], folder, process.env)
}

const { msw: ownMsw, '@types/node': nodeTypes, ...otherDependencies } = packageJson.devDependencies

/** What applications in React have. */
const react = ['@tanstack/react-query', '@types/react', 'react'] as const

/** What building the package of a project needs of it. */
export const clientParts = [
  'package.json',
  'tsconfig.json',
  'LICENSE',
  'scripts',
  'generated',
  'server/process',
  'client',
]

/** Builds and packs the package of a copy of a project; the file is removed after the tests of the file. */
export async function packClient(copy: string): Promise<string> {
  const folder = createTemporaryFolder(afterAll)
  await run('npm', ['run', '--silent', 'build'], copy, process.env)
  await run('npm', ['pack', '--pack-destination', folder], join(copy, 'client/dist'), process.env)

  const manifest = await readFile(join(copy, 'client/package.json'), 'utf8')
  const { name, version }: { name: string; version: string } = JSON.parse(manifest)
  return join(folder, `${name}-${version}.tgz`)
}

/**
 * Installs the package outside of the project, with a version of MSW, React Query and the types of Node; returns
 * the folder, which is removed after the tests of the file.
 */
export async function createConsumer(tarball: string, msw = ownMsw): Promise<string> {
  const folder = createTemporaryFolder(afterAll)
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  const ofReact = react.map((name) => `${name}@${otherDependencies[name]}`)
  await install(folder, tarball, `msw@${msw}`, `@types/node@${nodeTypes}`, ...ofReact)
  return folder
}
