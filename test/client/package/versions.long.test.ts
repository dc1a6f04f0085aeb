import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { project } from '../../helpers/program.ts'
import {
  checkJourney,
  checkTypes,
  everywhere,
  loaders,
  printed,
  withTools,
} from './support/checks.ts'
import { createConsumer, install, installWithMsw, run } from './support/package.ts'
import { programs } from './support/readme.ts'

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

describe.each([20, 22, 24])('on Node %i', { timeout }, (major) => {
  test.each(loaders)('the package works with %s', async (...loader) => {
    expect(await checkJourney(await findNode(major), loader)).toContain(`v${major}.`)
  })
})

test.each([
  ['5.4', everywhere],
  ['5.9', [...everywhere, ...withTools]],
  ['6.0', [...everywhere, ...withTools]],
])('the types of the package compile with TypeScript %s', { timeout }, async (version, configs) => {
  await checkTypes(await installed('typescript', `~${version}`, 'bin/tsc'), configs)
})

test('the types of the package compile with TypeScript 7.0 under every option', { timeout }, () =>
  checkTypes(join(project, 'node_modules/typescript7/bin/tsc'), everywhere),
)

test('the mock handlers work with MSW 2 on Node 20', { timeout }, async () => {
  const heading = 'Testing your code'
  const snippet = stripTypeScriptTypes(programs.get(heading) ?? '')
  const folder = await createConsumer({ 'snippet.js': snippet }, installWithMsw('2'))
  const env = { ANIMAL_STORE_KEY: 'ask_test' }
  const output = await run(await findNode(20), ['snippet.js'], folder, env)
  expect(output).toMatch(printed.get(heading) ?? /none/)
})
