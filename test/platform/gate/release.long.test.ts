import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { project } from '../../helpers/program.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { generateIn, runIn } from '../drift/support/project-copy.ts'
import {
  allowMore,
  commitAll,
  createEdited,
  createReleasable,
  createRepository,
  editFor,
  editText,
  forgetRelease,
  git,
  writeHook,
} from './support/repository.ts'

// Each of these runs the checks once or more.
vi.setConfig({ testTimeout: 600_000 })

const release = 'scripts/release.ts'

test('the first release is what the description says, with its operations in the changelog', async () => {
  const copy = await createRepository()
  await generateIn(copy)
  await forgetRelease(copy)
  const { status, output } = await runIn(copy, release)
  expect(output).toContain('released 1.0.0; to publish it: git push --follow-tags')
  expect(status).toBe(0)
  expect(await git(copy, 'tag', '--list')).toBe('v1.0.0')
  expect(await git(copy, 'cat-file', '-t', 'v1.0.0')).toBe('tag')
  const changelog = await readFile(join(copy, 'CHANGELOG.md'), 'utf8')
  const { paths } = parse(await readFile(join(copy, 'spec/openapi.yaml'), 'utf8'))
  for (const [path, { get }] of Object.entries<{ get?: Record<string, string> }>(paths)) {
    const { operationId, summary, 'x-sunset': sunset = '' } = get ?? {}
    if (operationId)
      expect(changelog).toContain(`- \`GET ${path}\`, \`${operationId}\`: ${summary}`)
    if (sunset) expect(changelog).toContain(`will be removed on ${sunset}).\n`)
  }
  expect(await git(copy, 'status', '--porcelain')).toBe('')
})

test('a release that lacks only its tag gets it, and then there is nothing to release', async () => {
  const copy = await createRepository()
  await generateIn(copy)
  await commitAll(copy, 'Generate')
  const head = await git(copy, 'rev-parse', 'HEAD')
  expect(await runIn(copy, release)).toMatchObject({
    status: 0,
    output: expect.stringContaining('release 1.0.0 is committed already; only its tag is missing'),
  })
  expect(await git(copy, 'rev-parse', 'v1.0.0^{commit}')).toBe(head)
  expect(await runIn(copy, release)).toMatchObject({
    status: 2,
    complaint: expect.stringContaining('nothing to release: the contract is that of 1.0.0; '),
  })
})

test('outside of git everything is done but the tag, and the gate goes by spec/released.yaml', async () => {
  const copy = await createReleasable()
  await editFor('1.1.0', copy, allowMore)
  const { status, output } = await runIn(copy, release)
  expect(output).toContain('released 1.1.0, without a tag: this is no repository of git')
  expect(status).toBe(0)
  expect((await runIn(copy, 'scripts/diff.ts')).output).toContain(
    'since 1.1.0 (spec/released.yaml)',
  )
})

test('where git rejects the tag everything is as it was', async () => {
  const copy = await createEdited()
  const head = await git(copy, 'rev-parse', 'HEAD')
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

test('in a shallow clone without tags the check compares with spec/released.yaml', async () => {
  const origin = await createRepository()
  await git(origin, 'tag', 'v1.0.0')
  const copy = join(createTemporaryFolder(), 'clone')
  await git(origin, 'clone', '--quiet', '--depth=1', '--no-tags', `file://${origin}`, copy)
  await symlink(join(project, 'node_modules'), join(copy, 'node_modules'))
  expect(await git(copy, 'tag', '--list')).toBe('')
  await editText(copy, allowMore)
  expect(await generateIn(copy)).toEqual([])
  const { output } = await runIn(copy, 'scripts/check.ts')
  expect(output).toMatch(
    /^FAILED version and promises since the last release .*\n.*: info\.version is 1\.0\.0 and must be at least 1\.1\.0, because the changes since spec\/released\.yaml \(1\.0\.0\) need it; .*\n {4}minor: components\.parameters\.Limit: /m,
  )
})
