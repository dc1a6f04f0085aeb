import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import clientJson from '../../../client/package.json' with { type: 'json' }
import packageJson from '../../../package.json' with { type: 'json' }
import { addPart, createSharedCopy, removeCopy } from '../../edits/support/project-copy.ts'
import { install, runNpm } from './command.ts'
import { makeOnce } from './make-once.ts'

/** A copy of the project to build the package in; whoever makes it removes it. */
export async function createBuildCopy(): Promise<string> {
  const copy = await createSharedCopy()
  await addPart(copy, 'LICENSE')
  await rm(join(copy, 'client/dist'), { recursive: true, force: true })
  return copy
}

/** Builds the package in a copy of the project, as `npm run build` does; gives what that says. */
export function build(copy: string, ...args: readonly string[]): Promise<string> {
  return runNpm(copy, 'run', '--silent', 'build', '--', ...args)
}

/** The package as `npm pack` makes it, once for all tests of a run. */
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

/** A project that has the package and nothing else. */
export function installClient(): Promise<string> {
  return createProject('bare')
}

/** A project that has the package and what its own development takes. */
export function installWithTools(mswVersion = packageJson.devDependencies.msw): Promise<string> {
  const types = `@types/node@${packageJson.devDependencies['@types/node']}`
  return createProject(`tools-${mswVersion}`, `msw@${mswVersion}`, types)
}

function createProject(name: string, ...others: readonly string[]): Promise<string> {
  return makeOnce(join(inject('runFolder'), name), async (fresh) => {
    const tarball = await packClient()
    await writeFile(join(fresh, 'package.json'), '{"private":true,"type":"module"}')
    await install(fresh, tarball, ...others)
  })
}
