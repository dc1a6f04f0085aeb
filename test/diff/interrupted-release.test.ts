import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeFiles } from '../../scripts/release/write.ts'
import { runIn } from '../edits/support/compiling.ts'
import { remove } from '../pipeline/support/spec-edit.ts'
import { createFolder, readFolder } from '../pipeline/support/workspace.ts'
import { append, parameter } from './support/lists.ts'
import { commitAll, createRepository, editText, git } from './support/repository.ts'

const release = 'scripts/release.ts'

test('where git refuses the commit, or the tag, everything is as it was', async () => {
  const copy = await createEdited()
  const head = await git(copy, 'rev-parse', 'HEAD')
  await writeHook(copy, 'echo "not on a Friday" >&2; exit 1')
  expect(await runIn(copy, release)).toMatchObject({
    status: 1,
    complaint: expect.stringContaining('git commit failed: not on a Friday'),
  })
  expect(await git(copy, 'status', '--porcelain')).toBe('')

  await writeHook(copy, 'exit 0')
  // Git cannot have one tag below another.
  await git(copy, 'tag', 'v1.1.0/before')
  expect(await runIn(copy, release)).toMatchObject({
    status: 1,
    complaint: expect.stringContaining('git tag failed: '),
  })
  expect(await git(copy, 'status', '--porcelain')).toBe('')
  expect(await git(copy, 'rev-parse', 'HEAD')).toBe(head)
})

test('a release that was killed is refused until it is undone, and then made anew', async () => {
  const copy = await createEdited()
  // The parent of git's shell is git, and its parent the release.
  await writeHook(copy, 'kill -9 "$(ps -o ppid= -p "$PPID" | tr -d " ")"; exit 1')
  expect(await runIn(copy, release)).toMatchObject({ signal: 'SIGKILL' })
  expect(await git(copy, 'tag', '--list')).toBe('v1.0.0')
  await writeHook(copy, 'exit 0')
  expect(await runIn(copy, release)).toMatchObject({
    status: 2,
    complaint: expect.stringContaining('undo them with git restore and git clean'),
  })
  await git(copy, 'restore', '--staged', '--worktree', '.')
  await git(copy, 'clean', '--force', '--quiet')
  expect(await runIn(copy, release)).toMatchObject({ status: 0 })
  const changelog = await readFile(join(copy, 'CHANGELOG.md'), 'utf8')
  expect(changelog.match(/^## 1\.1\.0 /gm)).toHaveLength(1)
})

test('a description that the linter refuses is not released, and its fault is named in its place', async () => {
  const copy = await createRepository()
  await editText(copy, remove('paths /pets get responses 500'))
  await commitAll(copy, 'Promise that nothing fails')
  const ended = await runIn(copy, release)
  expect(ended.status).toBe(1)
  expect(ended.complaint).toMatch(/^spec\/openapi\.yaml:\d+:\d+ rule\/operation-statuses /m)
  expect(await git(copy, 'status', '--porcelain')).toBe('')
})

test('where one file cannot be written none is', async () => {
  const folder = await createFolder()
  await writeFile(join(folder, 'one'), 'old')
  await writeFile(join(folder, 'two'), 'old')
  const files = new Map([
    [join(folder, 'one'), 'new'],
    [join(folder, 'two/below'), 'new'],
  ])
  await expect(writeFiles(files)).rejects.toThrow(/EEXIST|ENOTDIR/)
  expect(await readFolder(folder)).toEqual({ one: 'old', two: 'old' })
})

test('what was written can be undone, files that were not there included', async () => {
  const folder = await createFolder()
  await mkdir(join(folder, 'files'))
  const [one, two] = [join(folder, 'files/one'), join(folder, 'files/two')]
  await writeFile(one, 'old')
  const undo = await writeFiles(
    new Map([
      [one, 'new'],
      [two, 'new'],
    ]),
  )
  expect(await readFolder(join(folder, 'files'))).toEqual({ one: 'new', two: 'new' })
  await undo()
  expect(await readFolder(join(folder, 'files'))).toEqual({ one: 'old' })
})

async function createEdited(): Promise<string> {
  const copy = await createRepository()
  await git(copy, 'tag', 'v1.0.0')
  await editText(copy, append('paths /pets get parameters', parameter(false)))
  await commitAll(copy, 'Filter by owner')
  return copy
}

async function writeHook(copy: string, script: string): Promise<void> {
  const hook = join(copy, '.git/hooks/pre-commit')
  await mkdir(join(copy, '.git/hooks'), { recursive: true })
  await writeFile(hook, `#!/bin/sh\n${script}\n`)
  await chmod(hook, 0o755)
}
