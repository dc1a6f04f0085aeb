import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect } from 'vitest'
import { parseDocument } from 'yaml'
import { project, startCommand } from './program.ts'
import type { Edit } from './spec-edit.ts'

// The tests stay behind: an edit changes them in another way than the service. One type test comes
// along, because it notices parameters that no handler reads.
const usualParts: readonly string[] = [
  ...['package.json', 'tsconfig.json', 'redocly.yaml', 'biome.json', '.gitignore'],
  ...['spec', 'scripts', 'generated', 'server', 'client'],
  'test/types/equal.ts',
  'test/types/known-inputs.test-d.ts',
]

/** Creates a copy of the project, or parts of it; the caller removes it. */
export async function createSharedCopy(parts = usualParts): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'animal-store-copy-'))
  // A project of one's own has no type tests.
  for (const part of parts.filter((name) => existsSync(join(project, name)))) {
    await cp(join(project, part), join(copy, part), { recursive: true })
  }
  await symlink(join(project, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

export function removeCopy(copy: string): Promise<void> {
  return rm(copy, { recursive: true, force: true })
}

/** Edits the description of a copy; returns its new text. */
export async function editSpec(copy: string, edit: Edit): Promise<string> {
  const file = join(copy, 'spec/openapi.yaml')
  const description = parseDocument(await readFile(file, 'utf8'))
  const before = description.toString({ lineWidth: 0 })
  edit(description)
  const after = description.toString({ lineWidth: 0 })
  expect(after, 'the edit changes nothing').not.toBe(before)
  await writeFile(file, after)
  return after
}

/** Runs a line in the shell as a person does who has the copy as working folder. */
export async function runInShell(copy: string, line: string) {
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

/** Runs a line that must succeed; returns what it prints. */
export async function run(copy: string, line: string): Promise<string> {
  const { status, output } = await runInShell(copy, line)
  expect(status, `${line}: ${output}`).toBe(0)
  return output
}
