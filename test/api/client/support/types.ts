import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Compilation,
  checkTypes,
  onNode,
  strictest,
} from '../../../helpers/client-package/type-check.ts'
import { project } from '../../../helpers/program.ts'
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

const snippets = Array.from(programs.keys(), (heading) => `${fileOf(heading)}.ts`)

const compilations: readonly Compilation[] = [
  [onNode, ['client.test-d.ts', 'options.ts']],
  [strictest, snippets],
]

/** Type-checks the snippets of the README, and the names of the package, in a folder with a compiler. */
export async function checkReadmeTypes(folder: string, compiler: string): Promise<void> {
  const files: Record<string, string> = { 'options.ts': options }
  for (const [heading, program] of programs) {
    files[`${fileOf(heading)}.ts`] = program
  }

  const equal = await readFile(join(project, 'test/helpers/equal.ts'), 'utf8')
  const names = await readFile(join(project, 'test/api/types/client.test-d.ts'), 'utf8')
  files['equal.ts'] = equal
  files['client.test-d.ts'] = names
    .replace("'../../../client/index.ts'", "'animal-store-client'")
    .replace("'../../helpers/equal.ts'", "'./equal.ts'")
  await checkTypes(folder, compiler, files, compilations)
}
