import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { project } from '../program.ts'
import { install } from './consumer.ts'

/** Returns the compiler of a version of TypeScript. */
export function findCompiler(version: string): Promise<string> {
  return installed('typescript', `~${version}`, 'bin/tsc')
}

/** Returns the program of a major version of Node.js. */
export function findNode(major: number): Promise<string> {
  const { platform, arch } = process
  // As the package `node` does it, which picks one of these by the machine.
  const system = platform === 'win32' ? 'win' : platform
  const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'
  const file = platform === 'win32' ? 'bin/node.exe' : 'bin/node'
  return installed(`${prefix}-${system}-${arch}`, `${major}`, file)
}

/** Installs a version of a package, unless the cache of the project has it; returns a file of it. */
async function installed(name: string, version: string, file: string): Promise<string> {
  const cache = join(project, 'node_modules/.cache/versions')
  const folder = join(cache, `${name}-${version}`)
  if (!existsSync(folder)) {
    // Another test file may install it at the same time: it takes its place when it is complete.
    const unfinished = `${folder}.${process.pid}`
    await mkdir(unfinished, { recursive: true })
    await install(unfinished, '--prefix', unfinished, `${name}@${version}`)
    await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }))
  }
  return join(folder, 'node_modules', name, file)
}
