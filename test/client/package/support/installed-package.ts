import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject, vi } from 'vitest'
import clientJson from '../../../../client/package.json' with { type: 'json' }
import packageJson from '../../../../package.json' with { type: 'json' }
import { createTemporaryFolder } from '../../../helpers/temporary-folder.ts'
import {
  addPart,
  createSharedCopy,
  project,
  removeCopy,
} from '../../../platform/drift/support/project-copy.ts'
import { install, runNpm } from './command.ts'

// Whichever test is first builds, packs and installs, which takes a while on a busy machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

/** Creates a copy of the project to build the package in; the caller removes it. */
export async function createBuildCopy(): Promise<string> {
  const copy = await createSharedCopy()
  await addPart(copy, 'LICENSE')
  await rm(join(copy, 'client/dist'), { recursive: true, force: true })
  return copy
}

/** Runs `npm run build` in a copy of the project; returns its output. */
export function build(copy: string, ...args: readonly string[]): Promise<string> {
  return runNpm(copy, 'run', '--silent', 'build', '--', ...args)
}

/** Builds and packs the package, once a run; returns the tarball. */
export async function packClient(): Promise<string> {
  const folder = await makeOnce(join(inject('runFolder'), 'packed'), async (fresh) => {
    const copy = await createBuildCopy()
    try {
      await build(copy)
      await runNpm(join(copy, 'client/dist'), 'pack', '--pack-destination', fresh)
    } finally {
      await removeCopy(copy)
    }
  })
  return join(folder, `${clientJson.name}-${clientJson.version}.tgz`)
}

/** Installs the package alone into a project. */
export function installClient(): Promise<string> {
  return installInto('bare')
}

/** Installs the package, MSW and the types of Node into a project. */
export function installWithTools(mswVersion = packageJson.devDependencies.msw): Promise<string> {
  const types = `@types/node@${packageJson.devDependencies['@types/node']}`
  return installInto(`tools-${mswVersion}`, `msw@${mswVersion}`, types)
}

function installInto(name: string, ...others: readonly string[]): Promise<string> {
  return makeOnce(join(inject('runFolder'), name), async (fresh) => {
    const tarball = await packClient()
    await writeFile(join(fresh, 'package.json'), '{"private":true,"type":"module"}')
    await install(fresh, tarball, ...others)
  })
}

/** Creates a project that has the package and some files; gone when the test is finished. */
export async function createConsumer(
  files: Readonly<Record<string, string>>,
  installed = installClient(),
): Promise<string> {
  const folder = createTemporaryFolder()
  await symlink(join(await installed, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

/** Reads a file of `test/client/package/consumer`. */
export function readSource(name: string): Promise<string> {
  return readFile(join(import.meta.dirname, '../consumer', name), 'utf8')
}

/** Reads the same without its types. */
export async function readModule(name: string): Promise<string> {
  return stripTypeScriptTypes(await readSource(name))
}

/** Returns the program of a major version of Node, kept in the cache of the project. */
export async function findNode(major: number): Promise<string> {
  const { platform, arch, version, execPath } = process
  if (version.startsWith(`v${major}.`)) return execPath
  // As the package `node` does it, which picks one of these by the machine.
  const system = platform === 'win32' ? 'win' : platform
  const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'
  const name = `${prefix}-${system}-${arch}`
  const folder = join(project, 'node_modules/.cache/nodes', String(major))
  await makeOnce(folder, (fresh) => install(fresh, '--prefix', fresh, `${name}@${major}`))
  return join(folder, 'node_modules', name, platform === 'win32' ? 'bin/node.exe' : 'bin/node')
}

/** Returns the compiler of a version of TypeScript, kept in the cache of the project. */
export async function findCompiler(version: string): Promise<string> {
  if (version === '7.0') return join(project, 'node_modules/typescript7/bin/tsc')
  const folder = join(project, 'node_modules/.cache/compilers', version)
  await makeOnce(folder, (fresh) => install(fresh, '--prefix', fresh, `typescript@~${version}`))
  return join(folder, 'node_modules/typescript/bin/tsc')
}

/** Makes a folder once, whichever of the workers of this run asks first; the others wait for it. */
async function makeOnce(folder: string, make: (fresh: string) => Promise<void>): Promise<string> {
  const lock = join(inject('runFolder'), `${folder.replaceAll(/[^\w.-]/g, '_')}.lock`)
  for (;;) {
    if (existsSync(folder)) return folder
    try {
      await mkdir(lock)
      break
    } catch {
      await sleep(100)
    }
  }
  try {
    if (existsSync(folder)) return folder
    await mkdir(dirname(folder), { recursive: true })
    const fresh = await mkdtemp(`${folder}.`)
    await make(fresh).then(
      () => rename(fresh, folder),
      async (error) => {
        await rm(fresh, { recursive: true, force: true })
        throw error
      },
    )
  } finally {
    await rm(lock, { recursive: true })
  }
  return folder
}
