import { execFile } from 'node:child_process'
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseDocument } from 'yaml'
import { addPart, createProjectCopy } from '../../edits/support/project-copy.ts'
import type { Edit } from '../../pipeline/support/spec-edit.ts'

const execute = promisify(execFile)

/** Runs git in a folder, whoever's settings the machine has; gives what it prints. */
export async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const person = ['-c', 'user.name=Somebody', '-c', 'user.email=somebody@example.org']
  const { stdout } = await execute('git', [...person, ...args], { cwd: folder })
  return stdout.trim()
}

/** A copy of the project with everything that a release changes. */
export async function createReleasable(): Promise<string> {
  const copy = await createProjectCopy()
  await Promise.all(['package-lock.json', 'CHANGELOG.md'].map((part) => addPart(copy, part)))
  return copy
}

/** A copy of the project in a repository of git of its own, all of it committed. */
export async function createRepository(): Promise<string> {
  const copy = await createReleasable()
  await git(copy, 'init', '--quiet', '--initial-branch=main')
  await git(copy, 'config', 'user.name', 'Somebody')
  await git(copy, 'config', 'user.email', 'somebody@example.org')
  await appendFile(join(copy, '.git/info/exclude'), 'node_modules\n')
  await commitAll(copy, 'Begin')
  return copy
}

/** Commits everything that has changed. */
export async function commitAll(folder: string, message: string): Promise<void> {
  await git(folder, 'add', '--all')
  await git(folder, 'commit', '--quiet', '--message', message)
}

/** Makes a copy one that was never released. */
export async function forgetRelease(copy: string): Promise<void> {
  await rm(join(copy, 'spec/released.yaml'))
  await rm(join(copy, 'CHANGELOG.md'))
  await commitAll(copy, 'Forget the release')
}

/** Edits the description of a copy as its designer would, and gives its text as it is now. */
export async function editText(copy: string, edit: Edit): Promise<string> {
  const file = join(copy, 'spec/openapi.yaml')
  const description = parseDocument(await readFile(file, 'utf8'))
  edit(description)
  const text = `${description.toString({ lineWidth: 0 })}# The end.\n`
  await writeFile(file, text)
  return text
}
