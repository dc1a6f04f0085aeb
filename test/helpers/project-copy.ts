import { existsSync, readFileSync } from 'node:fs'
import { cp, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Ended, type Program, project, runProgram, startProgram } from './program.ts'
import { type Edit, editText } from './spec-edit.ts'
import { createTemporaryFolder, type Until } from './temporary-folder.ts'

// The tests stay behind: an edit changes them in another way than the service. One type test comes
// along, because it notices parameters that no handler reads.
const usualParts: readonly string[] = [
  ...['package.json', 'tsconfig.json', 'redocly.yaml', 'biome.json', '.gitignore'],
  ...['spec', 'scripts', 'generated', 'server', 'client'],
  'test/types/equal.ts',
  'test/types/known-inputs.test-d.ts',
]

/** Creates a copy of the project, or parts of it, for one test or, with `afterAll`, those of a file. */
export async function createProjectCopy(parts = usualParts, until?: Until): Promise<string> {
  const copy = createTemporaryFolder(until)
  // A project of one's own has no type tests.
  const present = parts.filter((part) => existsSync(join(project, part)))
  await Promise.all(present.map((part) => addPart(copy, part)))
  await symlink(join(project, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** Copies one more file or folder of the project. */
export function addPart(copy: string, part: string): Promise<void> {
  return cp(join(project, part), join(copy, part), { recursive: true })
}

/** Edits the description of a copy; returns its new text. */
export async function editSpec(copy: string, ...edits: readonly Edit[]): Promise<string> {
  const file = join(copy, 'spec/openapi.yaml')
  const before = await readFile(file, 'utf8')
  const after = editText(before, ...edits)
  expect(after, 'the edit changes nothing').not.toBe(editText(before))
  await writeFile(file, after)
  return after
}

/** Runs a program of a copy, or of its node_modules, to its end. */
export function runIn(copy: string, program: string, ...args: string[]): Promise<Ended> {
  return runProgram(join(copy, program), args, { cwd: copy })
}

/** Runs `npm run generate` in a copy; returns each line of its errors. */
export async function generateIn(copy: string): Promise<string[]> {
  const { status, errorOutput } = await runIn(copy, 'scripts/generate.ts')
  const lines = errorOutput.split('\n').filter((line) => line !== '')
  if ((status === 0) !== (lines.length === 0)) throw new Error(`${status}: ${errorOutput}`)
  return lines
}

/** Type-checks a copy; returns the file of each error, and the line that it points at, trimmed. */
export async function typeErrorsIn(copy: string) {
  const args = ['-p', join(copy, 'tsconfig.json'), '--checkers', '1']
  const { status, output } = await runIn(copy, 'node_modules/typescript7/bin/tsc', ...args)
  const found = [...output.matchAll(/^(\S+)\((\d+),\d+\): error /gm)]
  if ((status === 0) !== (found.length === 0)) throw new Error(`${status}: ${output}`)
  return found.map(([, file = '', line]) => {
    const lines = readFileSync(join(copy, file), 'utf8').split('\n')
    return { file, code: lines[Number(line) - 1]?.trim() ?? '' }
  })
}

/** Runs `npm start` in a copy, without npm, with a store in memory. */
export function runServiceIn(copy: string): Program {
  const env = { PORT: '0', DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'silent' }
  return startProgram(join(copy, 'server/main.ts'), [], { cwd: copy, env })
}
