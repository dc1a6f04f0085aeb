import { execFile } from 'node:child_process'
import { appendFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseDocument } from 'yaml'
import { project } from '../../../helpers/program.ts'
import { addPart, createProjectCopy, generateIn } from '../../drift/support/project-copy.ts'
import type { Edit } from '../../pipeline/support/spec-edit.ts'
import { readBase } from '../../pipeline/support/workspace.ts'

const execute = promisify(execFile)

/** Runs git in a folder, whoever's settings the machine has; gives what it prints. */
export async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const person = ['-c', 'user.name=Somebody', '-c', 'user.email=somebody@example.org']
  const { stdout } = await execute('git', [...person, ...args], { cwd: folder })
  return stdout.trim()
}

/**
 * A copy of the project with everything that a release changes, in which the present description was
 * released as 1.0.0. Its `generated/` may have another version.
 */
export async function createReleasable(): Promise<string> {
  const copy = await createProjectCopy()
  await addPart(copy, 'package-lock.json')
  const text = await readFile(join(copy, 'spec/openapi.yaml'), 'utf8')
  await writeReleased(copy, text.replace(/^ {2}version: .*$/m, '  version: 1.0.0'))
  return copy
}

/** A copy of the project in a repository of git of its own, all of it committed. */
export async function createRepository(): Promise<string> {
  const copy = await createReleasable()
  await beginRepository(copy)
  return copy
}

/**
 * A repository with the scripts of the project and the fixture API, released as 1.0.0, for what
 * reads no more than the description; whoever makes it removes it.
 */
export async function createFixtureRepository(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'fixture-repository-'))
  const parts = ['package.json', 'package-lock.json', 'redocly.yaml', 'client/package.json']
  await Promise.all(
    [...parts, 'scripts', 'spec/rules', '.gitignore'].map((part) => addPart(copy, part)),
  )
  await symlink(join(project, 'node_modules'), join(copy, 'node_modules'))
  await writeReleased(copy, await readBase())
  await beginRepository(copy)
  return copy
}

/** Takes a repository back to its first commit. */
export async function startOver(copy: string): Promise<void> {
  await git(copy, 'checkout', '--quiet', '--force', 'main')
  await git(copy, 'reset', '--quiet', '--hard', 'begin')
  await git(copy, 'clean', '--quiet', '--force', '-d')
  for (const tag of (await git(copy, 'tag', '--list', 'v*')).split('\n')) {
    if (tag !== '') await git(copy, 'tag', '--delete', tag)
  }
}

async function writeReleased(copy: string, text: string): Promise<void> {
  const files = ['spec/openapi.yaml', 'spec/released.yaml'].map((name) => join(copy, name))
  await Promise.all(files.map((file) => writeFile(file, text)))
  const changelog = '# Changelog\n\nWhat changed.\n\n## 1.0.0 (2026-01-01)\n\nThe first release.\n'
  await writeFile(join(copy, 'CHANGELOG.md'), changelog)
}

async function beginRepository(copy: string): Promise<void> {
  await git(copy, 'init', '--quiet', '--initial-branch=main')
  await git(copy, 'config', 'user.name', 'Somebody')
  await git(copy, 'config', 'user.email', 'somebody@example.org')
  await appendFile(join(copy, '.git/info/exclude'), 'node_modules\n')
  await commitAll(copy, 'Begin')
  await git(copy, 'branch', 'begin')
}

/** Commits everything that has changed. */
export async function commitAll(folder: string, message: string): Promise<void> {
  await git(folder, 'add', '--all')
  await git(folder, 'commit', '--quiet', '--allow-empty', '--message', message)
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

/** Allows larger pages in a description; whatever the limit is. */
export const allowMore: Edit = (description) => {
  const limit = ['components', 'parameters', 'Limit', 'schema', 'maximum']
  description.setIn(limit, Number(description.getIn(limit)) + 100)
}

/** Returns a repository with a change that is ready to be released; the release raises the version. */
export async function createEdited(): Promise<string> {
  const copy = await createRepository()
  await git(copy, 'tag', 'v1.0.0')
  await editText(copy, allowMore)
  await generateIn(copy)
  await commitAll(copy, 'Allow larger pages')
  return copy
}

/** Makes a script the hook that git runs before a commit. */
export async function writeHook(copy: string, script: string): Promise<void> {
  const folder = join(copy, '.git/hooks')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'pre-commit'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}
