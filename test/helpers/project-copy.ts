import { existsSync } from 'node:fs'
import { cp, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect } from 'vitest'
import { project, startCommand } from './program.ts'
import { type Edit, editText } from './spec-edit.ts'
import { createTemporaryFolder, type Until } from './temporary-folder.ts'

// The tests stay behind: an edit changes them in another way than the service. One type test comes
// along, because it notices parameters that no handler reads.
const usualParts: readonly string[] = [
  ...['package.json', 'tsconfig.json', 'redocly.yaml', 'biome.json', '.gitignore'],
  ...['spec', 'scripts', 'generated', 'server', 'client'],
  'test/platform/types/equal.ts',
  'test/platform/types/known-inputs.test-d.ts',
]

/** Creates a copy of the project, or parts of it, for one test or, with `afterAll`, those of a file. */
export async function createProjectCopy(parts = usualParts, until?: Until): Promise<string> {
  const copy = createTemporaryFolder(until)
  // A project of one's own has no type tests.
  for (const part of parts.filter((name) => existsSync(join(project, name)))) {
    await cp(join(project, part), join(copy, part), { recursive: true })
  }
  await symlink(join(project, 'node_modules'), join(copy, 'node_modules'))
  return copy
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

/** Runs a line of the shell as a person does in a copy; it may fail. */
export async function tryInCopy(copy: string, line: string) {
  const path = `${join(copy, 'node_modules/.bin')}:${process.env['PATH']}`
  // Without what marks a run of tests, or of CI.
  const { VITEST: _, NODE_ENV: __, CI: ___, ...others } = process.env
  const env = { ...others, PATH: path, NO_COLOR: '1' }
  const options = { cwd: copy, env, isShared: true }
  const ended = await startCommand('/bin/sh', ['-c', line], options).ended
  return {
    status: ended.status,
    output: stripVTControlCharacters(ended.output + ended.errorOutput),
  }
}

/** Runs a line of the shell in a copy, which must succeed; returns what it prints. */
export async function runInCopy(copy: string, line: string): Promise<string> {
  const { status, output } = await tryInCopy(copy, line)
  expect(status, `${line}: ${output}`).toBe(0)
  return output
}
