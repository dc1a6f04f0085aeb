import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { SourceMap } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { beforeAll, expect, test } from 'vitest'
import packageJson from '../../../client/package.json' with { type: 'json' }
import { project } from '../../platform/drift/support/project-copy.ts'
import { installClient, packClient } from './support/installed-package.ts'

let folder = ''

beforeAll(async () => {
  folder = join(await installClient(), 'node_modules/animal-store-client')
})

function read(name: string): string {
  return readFileSync(join(folder, name), 'utf8')
}

function listFiles(ending = ''): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const names = files.map(({ parentPath, name }) => join(parentPath, name))
  return names.map((name) => name.slice(folder.length + 1)).filter((name) => name.endsWith(ending))
}

test('the package has modules, source maps, types, README and LICENSE alone', () => {
  const files = listFiles()
  const modules = files.filter((name) => name.endsWith('.js'))
  const types = files.filter((name) => /^types\/(client|generated)\/[\w/-]+\.d\.ts$/.test(name))
  const maps = modules.map((name) => `${name}.map`)
  const expected = ['LICENSE', 'README.md', 'package.json', ...modules, ...maps, ...types]
  expect(files.sort()).toEqual(expected.sort())
})

/** Returns the files that the value of `exports` names. */
function targetsOf(value: unknown): string[] {
  return typeof value === 'string' ? [value] : Object.values(Object(value)).flatMap(targetsOf)
}

test('package.json has the dependencies, the engines and two entry points', () => {
  const { private: _, exports, ...rest } = packageJson
  const published = JSON.parse(read('package.json'))
  expect(published).toEqual({ ...rest, exports: published.exports })
  expect(Object.keys(exports)).toEqual(['.', './testing'])
  expect(Object.keys(published.exports)).toEqual(['.', './testing', './package.json'])
  const targets = targetsOf(published.exports)
  expect(listFiles()).toEqual(expect.arrayContaining(targets.map((name) => name.slice(2))))
  expect(published).toMatchObject({
    name: 'animal-store-client',
    license: 'MIT',
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
    peerDependenciesMeta: { msw: { optional: true } },
  })
  expect(Object.keys(rest.dependencies)).toEqual(['openapi-fetch'])
})

test('no file names a folder of the machine it was built on', () => {
  const traces = [project, homedir(), '/tmp/', 'node_modules', 'file:']
  for (const name of listFiles().filter((name) => name !== 'README.md')) {
    const text = read(name)
    const found = traces.filter((trace) => text.includes(trace))
    expect(found, name).toEqual([])
  }
})

test('its code uses nothing of Node', () => {
  for (const name of listFiles('.js')) {
    const code = read(name).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    expect(code, name).not.toMatch(/\b(?:process|Buffer|require|__dirname|NodeJS)\b|node:/)
  }
})

test('its types import nothing that the package does not have', () => {
  const files = listFiles()
  for (const name of listFiles('.d.ts')) {
    const imports = [...read(name).matchAll(/(?:from |import\()['"]([^'"]+)['"]/g)]
    for (const [, specifier = ''] of imports) {
      const target = join(name, '..', specifier).replace(/\.js$/, '.d.ts')
      const isKnown = ['openapi-fetch', 'msw'].includes(specifier) || files.includes(target)
      expect(isKnown, `${name} imports ${specifier}`).toBe(true)
    }
  }
})

test('a source map leads from a line of a module to its source', () => {
  const lines = read('index.js').split('\n')
  const at = lines.findIndex((line) => line.includes('function createAnimalStore('))
  const map = new SourceMap(JSON.parse(read('index.js.map')))
  const found = map.findEntry(at, 0)
  const source = 'originalSource' in found ? found.originalSource : ''
  const line = 'originalLine' in found ? found.originalLine : -1
  const text = readFileSync(join(project, source), 'utf8')
  expect(text.split('\n')[line]).toMatch(/^export function createAnimalStore\(/)
  const { sources, sourcesContent } = map.payload
  expect(sourcesContent[sources.indexOf(source)]).toBe(text)
  expect(lines.at(-1)).toBe('//# sourceMappingURL=index.js.map')
})

test('publint has no messages', async () => {
  const { buffer } = new Uint8Array(await readFile(await packClient()))
  const { messages } = await publint({ pack: { tarball: buffer }, strict: true })
  expect(messages).toEqual([])
})

test('@arethetypeswrong/core finds only that the package has no CommonJS', async () => {
  const tarball = createPackageFromTarballData(await readFile(await packClient()))
  const analysis = await checkPackage(tarball)
  const problems = 'problems' in analysis ? analysis.problems : []
  const found = problems.map((problem) => {
    const { kind, entrypoint, resolutionKind } = { entrypoint: '', resolutionKind: '', ...problem }
    return `${kind} ${entrypoint} ${resolutionKind}`
  })
  expect(analysis.types).toEqual({ kind: 'included' })
  expect(found.sort()).toEqual([
    'CJSResolvesToESM . node16-cjs',
    'CJSResolvesToESM ./testing node16-cjs',
    'UntypedResolution . node10',
    'UntypedResolution ./testing node10',
  ])
})
