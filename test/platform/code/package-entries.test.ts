import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { expect, test } from 'vitest'
import { listPlatformFiles } from '../../../scripts/platform/ownership.ts'
import { project } from '../../helpers/program.ts'

/** Files below packages without `exports` that their documentation names. */
const documented = ['ajv/dist/2020.js', 'axe-core/axe.min.js']

/** Returns what a file imports, or resolves. */
function readImports(file: string): readonly string[] {
  const text = readFileSync(join(project, file), 'utf8')
  const { module } = parseSync(file, text)
  const imported = module.staticImports.map(({ moduleRequest }) => moduleRequest.value)
  const exported = module.staticExports.flatMap(({ entries }) =>
    entries.map(({ moduleRequest }) => moduleRequest?.value ?? ''),
  )
  const calls = text.matchAll(/\b(?:import|resolve|require)\(\s*'([^']+)'/g)
  const called = Array.from(calls, ([, name = '']) => name)
  return [...imported, ...exported, ...called]
}

/** Returns whether an import is of a file inside a package, which has no `exports` that forbid it. */
function isInside(name: string): boolean {
  const [, packageName = '', path] = /^((?:@[^/]+\/)?[^./][^/]*)(\/.*)?$/.exec(name) ?? []
  const manifest = join(project, 'node_modules', packageName, 'package.json')
  if (path === undefined || documented.includes(name) || !existsSync(manifest)) {
    return false
  }
  const { exports }: { readonly exports?: unknown } = JSON.parse(readFileSync(manifest, 'utf8'))
  return exports === undefined
}

test('the platform imports packages by their public entries', async () => {
  const files = (await listPlatformFiles()).filter((file) => /\.[jt]s$/.test(file))
  expect(files.length).toBeGreaterThan(200)
  const imports = files.flatMap((file) => readImports(file).map((name) => ({ file, name })))
  expect(imports.filter(({ name }) => isInside(name))).toEqual([])
})
