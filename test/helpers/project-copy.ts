import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect } from 'vitest'
import { fixtureProject, project, startCommand } from './program.ts'
import { type Edit, editText } from './spec-edit.ts'
import { createTemporaryFolder, type Until } from './temporary-folder.ts'

/**
 * Creates a copy of the fixture project, or of some of its files and folders, that lasts for one test or,
 * with `afterAll`, for those of a file.
 */
export async function createProjectCopy(parts?: readonly string[], until?: Until): Promise<string> {
  const copied = parts ?? (await readdir(fixtureProject()))
  return copyParts(fixtureProject(), copied, until)
}

/** Creates a copy of some files and folders of a project, whose packages the copy uses. */
export async function copyParts(
  source: string,
  parts: readonly string[],
  until?: Until,
): Promise<string> {
  const copy = createTemporaryFolder(until)
  for (const part of parts) {
    if (part === 'node_modules') {
      continue
    }
    await cp(join(source, part), join(copy, part), { recursive: true })
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
  const { VITEST: _, NODE_ENV: __, CI: ___, ...environment } = process.env
  const env = { ...environment, PATH: path, NO_COLOR: '1' }
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
