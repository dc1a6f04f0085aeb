import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { project } from '../../../../helpers/program.ts'
import { run } from './consumer.ts'
import { fileOf, programs, readme } from './readme.ts'

/** The names in the table of options of the README. */
const [, optionTable = ''] = readme.split(/^## Options$/m)
const optionCells = Array.from(optionTable.matchAll(/^\| (`[^|]*) \|/gm), ([, cell = '']) => cell)
const optionNames = Array.from(optionCells.join().matchAll(/`(\w+)`/g), ([, name]) => name)

/** A program that compiles if the README has each option in its table, and no others. */
const options = `import type { AnimalStoreOptions, ListOptions } from 'animal-store-client'
type OfCalls = Exclude<keyof ListOptions, 'signal' | 'headers'>
export const named: Record<keyof AnimalStoreOptions | OfCalls, 0> = {
  ${optionNames.map((name) => `${name}: 0,`).join('')}
}
`

const commonJs = `import { createAnimalStore, type Page } from 'animal-store-client'
const store = createAnimalStore({ baseUrl: 'https://host.example/v1', apiKey: 'ask_key' })
export const list: PromiseLike<Page<{ id: number }, unknown>> = store.listPets()
`

const mockInCommonJs = `import { createMockHandlers } from 'animal-store-client/testing'
import { setupServer } from 'msw/node'
const listPets = { status: 429, example: 'banned' } as const
export const server = setupServer(...createMockHandlers('https://host.example/v1', { listPets }))
`

const uses = ['client.test-d.ts', 'options.ts']
const snippets = Array.from(programs.keys(), (heading) => `${fileOf(heading)}.ts`)

const strict = { strict: true, skipDefaultLibCheck: true, target: 'es2022', declaration: true }
const usual = { ...strict, noEmit: true, allowImportingTsExtensions: true }
const inBrowsers = { ...usual, lib: ['es2022', 'dom', 'dom.iterable'], types: [] as string[] }
const exact = { exactOptionalPropertyTypes: true }
const bundler = { module: 'esnext', moduleResolution: 'bundler' }
const strictest = {
  ...{ ...inBrowsers, ...exact, ...bundler, types: ['node'] },
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
}

type Config = readonly [compilerOptions: object, files: readonly string[]]

/** Compilations of programs that use the package, which every supported version of TypeScript can do. */
export const everywhere: readonly Config[] = [
  [{ ...inBrowsers, ...exact, module: 'node16' }, uses],
  [{ ...inBrowsers, ...exact, ...bundler }, uses],
  [{ ...inBrowsers, ...exact, module: 'preserve' }, uses],
  [{ ...inBrowsers, module: 'nodenext' }, uses],
]

/** These, and others with the types of Node 26 and of MSW, and with CommonJS. */
export const withTools: readonly Config[] = [
  ...everywhere,
  [
    { ...usual, ...exact, module: 'nodenext', types: ['node'] },
    [...uses, 'commonjs.cts', 'mock-handlers.cts'],
  ],
  [strictest, ['mock-handlers.test-d.ts', ...snippets]],
]

// Versions before 5.9 do not understand the types of Node 26.
const withoutLibraries = { ...usual, skipLibCheck: true }

/** Compilations of CommonJS with MSW, which every supported version of TypeScript can do. */
export const inCommonJs: readonly Config[] = [
  [{ ...withoutLibraries, module: 'node16' }, ['mock-handlers.cts']],
  [{ ...withoutLibraries, module: 'nodenext' }, ['mock-handlers.cts']],
]

/** Type-checks programs that use the package in a folder with a compiler. */
export async function checkTypes(
  folder: string,
  compiler: string,
  configs: readonly Config[],
): Promise<void> {
  const files: Record<string, string> = {
    'options.ts': options,
    'commonjs.cts': commonJs,
    'mock-handlers.cts': mockInCommonJs,
  }
  for (const name of ['equal.ts', 'client.test-d.ts', 'mock-handlers.test-d.ts']) {
    const text = await readFile(join(project, 'test/platform/types', name), 'utf8')
    files[name] = text
      .replace("'../../client/index.ts'", "'animal-store-client'")
      .replace("'../../client/testing.ts'", "'animal-store-client/testing'")
  }
  for (const [heading, program] of programs) files[`${fileOf(heading)}.ts`] = program
  const projects = configs.map(([compilerOptions, sources], at) => {
    files[`${at}.json`] = JSON.stringify({ compilerOptions, files: sources })
    return `${at}.json`
  })
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  expect(await run(process.execPath, [compiler, '--build', ...projects], folder)).toBe('')
}
