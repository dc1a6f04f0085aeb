import { execFile } from 'node:child_process'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll } from 'vitest'
import { addPart, createProjectCopy } from '../../../helpers/project-copy.ts'
import { readBase } from '../../pipeline/support/workspace.ts'

/** Runs git in a folder; returns what it prints. */
export async function git(folder: string, ...args: readonly string[]): Promise<string> {
  return (await promisify(execFile)('git', args, { cwd: folder })).stdout.trim()
}

/**
 * Creates a repository with a copy of the project, in which the present description was released as
 * 1.0.0. Its `generated/` may have another version.
 */
export async function createRepository(): Promise<string> {
  const copy = await createProjectCopy()
  await addPart(copy, 'package-lock.json')
  const text = await readFile(join(copy, 'spec/openapi.yaml'), 'utf8')
  await beginRepository(copy, text.replace(/^ {2}version: .*$/m, '  version: 1.0.0'))
  return copy
}

/**
 * Creates a repository with the scripts of the project and the fixture API, released as 1.0.0, for
 * the tests of a file that read no more than the description.
 */
export async function createFixtureRepository(): Promise<string> {
  const manifests = ['package.json', 'package-lock.json', 'client/package.json']
  const parts = [...manifests, 'redocly.yaml', 'scripts', 'spec/rules', '.gitignore']
  const copy = await createProjectCopy(parts, afterAll)
  await beginRepository(copy, await readBase())
  return copy
}

/** Returns a repository to its first commit. */
export async function startOver(copy: string): Promise<void> {
  await git(copy, 'checkout', '--quiet', '--force', 'main')
  await git(copy, 'reset', '--quiet', '--hard', 'begin')
  await git(copy, 'clean', '--quiet', '--force', '-d')
  const tags = await git(copy, 'tag', '--list')
  await git(copy, 'tag', '--delete', ...tags.split('\n').filter((tag) => tag !== ''))
}

async function beginRepository(copy: string, text: string): Promise<void> {
  const files = ['spec/openapi.yaml', 'spec/released.yaml'].map((name) => join(copy, name))
  await Promise.all(files.map((file) => writeFile(file, text)))
  const changelog = '# Changelog\n\nWhat changed.\n\n## 1.0.0 (2026-01-01)\n\nThe first release.\n'
  await writeFile(join(copy, 'CHANGELOG.md'), changelog)
  await git(copy, 'init', '--quiet', '--initial-branch=main')
  await git(copy, 'config', 'user.name', 'Author')
  await git(copy, 'config', 'user.email', 'author@example.org')
  await appendFile(join(copy, '.git/info/exclude'), 'node_modules\n')
  await commitAll(copy, 'Begin')
  await git(copy, 'branch', 'begin')
}

/** Commits everything that has changed. */
export async function commitAll(folder: string, message: string): Promise<void> {
  await git(folder, 'add', '--all')
  await git(folder, 'commit', '--quiet', '--allow-empty', '--message', message)
}
