import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { editSpec, runIn } from '../../helpers/project-copy.ts'
import { changeLimit, set } from '../../helpers/spec-edit.ts'
import { commitAll, createFixtureRepository, git, startOver } from './support/repository.ts'

// A busy machine takes a while for each of them; system/check has whole releases.
vi.setConfig({ testTimeout: 300_000 })

const release = 'scripts/release.ts'
const larger = changeLimit(100)

const copy = await createFixtureRepository()
beforeEach(() => startOver(copy))

test('a dry run shows the whole release and changes nothing', async () => {
  await editSpec(copy, larger)
  const before = await git(copy, 'status', '--porcelain')
  const { status, output } = await runIn(copy, release, '--dry-run')
  expect(status).toBe(0)
  expect(output).toContain('release 1.1.0 writes:\n  CHANGELOG.md\n  package.json\n')
  expect(output).toContain('`limit` is now `150`')
  expect(output).toMatch(/nothing was changed: this was a dry run\n$/)
  expect(await git(copy, 'status', '--porcelain')).toBe(before)
  expect(await git(copy, 'tag', '--list')).toBe('')
})

const sooner = set('paths /tools/{toolId}/manual get x-sunset', '2026-01-01')
test.for([
  ['what has not changed', undefined, [], 2, 'the contract is that of 1.0.0; '],
  ['1.0.5', larger, ['--version', '1.0.5'], 2, '1.0.5 is too low: it must be at least 1.1.0'],
  ['1.1', larger, ['--version', '1.1'], 2, "three numbers, such as 1.2.0, not '1.1'"],
  ['what the gate rejects', sooner, [], 1, '/manual was to be removed on 2026-01-01'],
] as const)('%s is not released', async ([, edit, args, status, errorOutput]) => {
  if (edit !== undefined) await editSpec(copy, edit)
  await commitAll(copy, 'Edit')
  const ended = await runIn(copy, release, ...args)
  expect(ended).toMatchObject({ status, errorOutput: expect.stringContaining(errorOutput) })
  expect(ended.output).toBe('')
})

test('what is not committed is not released', async () => {
  await writeFile(join(copy, 'notes.md'), 'mine')
  const { status, errorOutput } = await runIn(copy, release)
  expect(status).toBe(2)
  expect(errorOutput).toMatch(/^there are changes that are not committed; .*\n\?\? notes\.md\n$/)
})

test('what is on no branch is not released', async () => {
  await editSpec(copy, larger)
  await commitAll(copy, 'Edit')
  await git(copy, 'checkout', '--quiet', '--detach')
  const { status, errorOutput } = await runIn(copy, release)
  await git(copy, 'checkout', '--quiet', '-')
  expect(status).toBe(2)
  expect(errorOutput).toMatch(/^no branch is checked out, .*: git switch BRANCH\n$/)
})

test('notes on a breaking change need a major version, and stand above descriptions', async () => {
  await editSpec(copy, larger, set('paths /tools get summary', 'Find tools'))
  const file = join(copy, 'CHANGELOG.md')
  const notes = '## Next\n\n### Client, breaking\n\n- `retry` is `maxRetries`.\n\n## 1.0.0'
  await writeFile(file, (await readFile(file, 'utf8')).replace('## 1.0.0', notes))
  const ended = await runIn(copy, release, '--dry-run')
  expect(ended).toMatchObject({
    status: 2,
    errorOutput: expect.stringMatching(/'### Client, breaking'; .* --version 2\.0\.0\n$/),
  })
  const { status, output } = await runIn(copy, release, '--dry-run', '--version', '2.0.0')
  expect({ status, output }).toEqual({
    status: 0,
    output: expect.stringMatching(
      /### New\n\n[^#]+\n\n### Client, breaking\n\n- `retry` is `maxRetries`\.\n\n### Descriptions and examples\n/,
    ),
  })
})

test('outside of git a line says what to do', async () => {
  await rename(join(copy, '.git'), join(copy, '.aside'))
  const { status, errorOutput } = await runIn(copy, release, '--dry-run')
  await rename(join(copy, '.aside'), join(copy, '.git'))
  expect(status).toBe(2)
  expect(errorOutput).toMatch(/^this folder is not a git repository, .*: git init\n$/)
})
