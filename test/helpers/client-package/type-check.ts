import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { run } from './consumer.ts'

const strict = { strict: true, skipDefaultLibCheck: true, target: 'es2022', declaration: true }
const usual = { ...strict, noEmit: true, allowImportingTsExtensions: true }
const inBrowsers = { ...usual, lib: ['es2022', 'dom', 'dom.iterable'], types: [] as string[] }
const exact = { exactOptionalPropertyTypes: true }
const bundler = { module: 'esnext', moduleResolution: 'bundler' }

/** Compiler options of projects that every supported version of TypeScript can compile. */
export const everywhere: readonly object[] = [
  { ...inBrowsers, ...exact, module: 'node16' },
  { ...inBrowsers, ...exact, ...bundler },
  { ...inBrowsers, ...exact, module: 'preserve' },
  { ...inBrowsers, module: 'nodenext' },
]

/** Options with the types of Node.js, for ES modules and CommonJS. */
export const onNode = { ...usual, ...exact, module: 'nodenext', types: ['node'] }

/** The strictest options, with the types of Node.js. */
export const strictest = {
  ...{ ...inBrowsers, ...exact, ...bundler, types: ['node'] },
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
}

// Versions before 5.9 do not understand the types of Node 26.
const withoutLibraries = { ...usual, skipLibCheck: true }

/** Options of CommonJS projects, with the types of MSW, for every supported version of TypeScript. */
export const inCommonJs: readonly object[] = [
  { ...withoutLibraries, module: 'node16' },
  { ...withoutLibraries, module: 'nodenext' },
]

/** Files that are compiled together with some options. */
export type Compilation = readonly [compilerOptions: object, files: readonly string[]]

/** Writes files into a folder, and type-checks some of them there with a compiler, once or more often. */
export async function checkTypes(
  folder: string,
  compiler: string,
  files: Readonly<Record<string, string>>,
  compilations: readonly Compilation[],
): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, name), text)
  }

  const projects: string[] = []
  for (const [compilerOptions, sources] of compilations) {
    const name = `${projects.length}.json`
    await writeFile(join(folder, name), JSON.stringify({ compilerOptions, files: sources }))
    projects.push(name)
  }
  expect(await run(process.execPath, [compiler, '--build', ...projects], folder)).toBe('')
}
