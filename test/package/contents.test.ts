import { readdirSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import packageJson from '../../client/package.json' with { type: 'json' }
import { project } from '../pipeline/support/workspace.ts'
import { installClient } from './support/package.ts'

let folder = ''

beforeAll(async () => {
  folder = join(await installClient(), 'node_modules/animal-store-client')
})

function read(name: string): string {
  return readFileSync(join(folder, name), 'utf8')
}

function listFiles(): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)).sort()
}

const types = ['call-options', 'client', 'error', 'index', 'methods', 'notices', 'options']
const moreTypes = ['pacing', 'pages', 'rate-limit', 'testing/answers', 'testing/index']

test('the package holds two modules, what they share, their types and nothing else', () => {
  expect(listFiles()).toEqual([
    'LICENSE',
    'README.md',
    ...['calls', 'index'].flatMap((name) => [`${name}.js`, `${name}.js.map`]),
    'package.json',
    ...['testing.js', 'testing.js.map'],
    ...[...types, ...moreTypes].map((name) => `types/client/${name}.d.ts`),
    ...['calls', 'examples', 'openapi'].map((name) => `types/generated/${name}.d.ts`),
  ])
})

test('the manifest says what it is, what it needs and where its doors are', () => {
  const { private: _, exports, ...rest } = packageJson
  expect(Object.keys(exports)).toEqual(['.', './testing'])
  const published: unknown = JSON.parse(read('package.json'))
  expect(published).toEqual({
    ...rest,
    exports: {
      '.': { types: './types/client/index.d.ts', default: './index.js' },
      './testing': { types: './types/client/testing/index.d.ts', default: './testing.js' },
      './package.json': './package.json',
    },
  })
  expect(published).toMatchObject({
    name: 'animal-store-client',
    license: 'MIT',
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
  })
  expect(Object.keys(rest.dependencies)).toEqual(['openapi-fetch'])
  expect(rest.peerDependenciesMeta).toEqual({ msw: { optional: true } })
})

test('nothing in it tells where it was built', () => {
  const tellTales = [project, homedir(), '/tmp/', 'node_modules', 'file:']
  for (const name of listFiles().filter((name) => name !== 'README.md')) {
    const text = read(name)
    expect(
      tellTales.filter((tellTale) => text.includes(tellTale)),
      name,
    ).toEqual([])
  }
})

test('its code asks nothing of Node', () => {
  for (const name of listFiles().filter((name) => name.endsWith('.js'))) {
    const code = read(name).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    expect(code, name).not.toMatch(/\b(?:process|Buffer|require|__dirname|NodeJS)\b|node:/)
  }
})

test('its types name no source file and nothing that is not in it', () => {
  const files = listFiles()
  for (const name of files.filter((name) => name.endsWith('.d.ts'))) {
    const imports = [...read(name).matchAll(/(?:from |import\()['"]([^'"]+)['"]/g)]
    for (const [, specifier = ''] of imports) {
      const target = join(name, '..', specifier).replace(/\.js$/, '.d.ts')
      const isKnown = ['openapi-fetch', 'msw'].includes(specifier) || files.includes(target)
      expect(isKnown, `${name} imports ${specifier}`).toBe(true)
    }
  }
})

test('a source map leads from a line of a module back to its source', () => {
  const lines = read('index.js').split('\n')
  const at = lines.findIndex((line) => line.includes('function createAnimalStore('))
  const map = new SourceMap(JSON.parse(read('index.js.map')))
  const found = map.findEntry(at, 0)
  const source = 'originalSource' in found ? found.originalSource : ''
  const line = 'originalLine' in found ? found.originalLine : -1
  expect(source).toBe('client/client.ts')
  const text = readFileSync(join(project, source), 'utf8')
  expect(text.split('\n')[line]).toMatch(/^export function createAnimalStore\(/)
  const { sources, sourcesContent } = map.payload
  expect(sourcesContent[sources.indexOf(source)]).toBe(text)
  expect(lines.at(-1)).toBe('//# sourceMappingURL=index.js.map')
})
