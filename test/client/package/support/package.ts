import { mkdtempSync, rmSync } from 'node:fs'
import { cp, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, vi } from 'vitest'
import clientJson from '../../../../client/package.json' with { type: 'json' }
import packageJson from '../../../../package.json' with { type: 'json' }
import { once } from '../../../helpers/once.ts'
import { project, startCommand } from '../../../helpers/program.ts'

// Building, packing and installing take a while on a busy machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

/** Outside of the project, and removed after the tests of a file. */
const root = mkdtempSync(join(tmpdir(), 'animal-store-package-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Runs a command to its end; returns its output, or rejects with all that it printed. */
export async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<string> {
  const options = { cwd, env, isShared: true }
  const { status, output, errorOutput } = await startCommand(command, args, options).ended
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${output}${errorOutput}`)
  return output
}

/** Builds and packs the package, once for all tests of a file; returns the tarball. */
export const packClient = once(async () => {
  const copy = await mkdtemp(join(root, 'copy-'))
  const parts = ['package.json', 'tsconfig.json', 'LICENSE', 'scripts', 'generated', 'client']
  const filter = (path: string) => !path.startsWith(join(project, 'client/dist'))
  for (const part of parts) {
    await cp(join(project, part), join(copy, part), { recursive: true, filter })
  }
  await symlink(join(project, 'node_modules'), join(copy, 'node_modules'))
  await run('npm', ['run', '--silent', 'build'], copy, process.env)
  const args = ['pack', '--pack-destination', root]
  await run('npm', args, join(copy, 'client/dist'), process.env)
  return join(root, `${clientJson.name}-${clientJson.version}.tgz`)
})

/** Installs packages into a folder, from npm's cache where that has them. */
export async function install(folder: string, ...packages: readonly string[]): Promise<void> {
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline']
  // Without a registry, it fails before a hook times out.
  const retries = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=45000']
  await run('npm', ['install', ...options, ...retries, ...packages], folder, process.env)
}

/** Installs the package, and others, into a folder. */
async function installWith(...others: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(root, 'installed-'))
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  await install(folder, await packClient(), ...others)
  return folder
}

const { msw: ownMsw, '@types/node': nodeTypes } = packageJson.devDependencies

/** Installs the package, once for all tests of a file. */
const installClient = once(() => installWith())
/** Installs the package, MSW and the types of Node, once for all tests of a file. */
export const installWithTools = once(() => installWithMsw(ownMsw))

/** Installs the package, a version of MSW and the types of Node. */
export function installWithMsw(version: string): Promise<string> {
  return installWith(`msw@${version}`, `@types/node@${nodeTypes}`)
}

/** Creates a project that has the package and some files. */
export async function createConsumer(
  files: Readonly<Record<string, string>>,
  installed = installClient(),
): Promise<string> {
  const folder = await mkdtemp(join(root, 'consumer-'))
  await symlink(join(await installed, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

/** Reads a file of the tests whose client is that of the package. */
export async function readSource(path: string): Promise<string> {
  const text = await readFile(join(project, 'test', path), 'utf8')
  return text
    .replaceAll(/'[./]+\/client\/index\.ts'/g, "'animal-store-client'")
    .replaceAll(/'[./]+\/client\/(\w+)\.ts'/g, "'animal-store-client/$1'")
}
