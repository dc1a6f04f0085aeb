import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { removeCopy, runIn } from '../drift/support/project-copy.ts'
import { set } from '../pipeline/support/spec-edit.ts'
import {
  allowMore,
  commitAll,
  createEdited,
  createFixtureRepository,
  editText,
  git,
  startOver,
  writeHook,
} from './support/repository.ts'

// Each release runs the checks, which takes a while on a busy machine; release.long.test.ts has more.
vi.setConfig({ testTimeout: 300_000 })

const release = 'scripts/release.ts'

test('a release that git rejects leaves everything as it was, after a check with a line for each step', async () => {
  const copy = await createEdited()
  const head = await git(copy, 'rev-parse', 'HEAD')
  await writeHook(copy, 'echo "not on a Friday" >&2; exit 1')
  const { status, output, complaint } = await runIn(copy, release)
  expect(complaint).toContain('git commit failed: not on a Friday')
  expect(status).toBe(1)
  const lines = output.replaceAll(/\d+\.\d s\)/g, 's)').match(/^(?:ok|FAILED) .*/gm)
  expect(lines?.toSorted()).toEqual([
    'ok     code lint and format (s)',
    'ok     redocly score (s)',
    'ok     responses that the service makes itself (s)',
    'ok     spec lint and freshness of generated/ (s)',
    'ok     types (s)',
    'ok     version and promises since the last release (s)',
    'ok     workflows (s)',
  ])
  expect(await git(copy, 'status', '--porcelain')).toBe('')
  expect(await git(copy, 'rev-parse', 'HEAD')).toBe(head)
  expect(await git(copy, 'tag', '--list')).toBe('v1.0.0')
})

describe('what is rejected before the checks', () => {
  let copy: string
  beforeAll(async () => {
    copy = await createFixtureRepository()
    return () => removeCopy(copy)
  })
  beforeEach(() => startOver(copy))

  test('what is not committed is not released', async () => {
    await writeFile(join(copy, 'notes.md'), 'mine')
    const { status, complaint } = await runIn(copy, release)
    expect(status).toBe(2)
    expect(complaint).toMatch(/^there are changes that are not committed; .*\n\?\? notes\.md\n$/)
    expect(await git(copy, 'tag', '--list')).toBe('')
  })

  test('a dry run shows the whole release and changes nothing', async () => {
    await editText(copy, allowMore)
    const before = await git(copy, 'status', '--porcelain')
    const { status, output } = await runIn(copy, release, '--dry-run')
    expect(status).toBe(0)
    expect(output).toContain('release 1.1.0 writes:\n  CHANGELOG.md\n  package.json\n')
    expect(output).toContain('`limit` is now `150`')
    expect(output).toMatch(/nothing was changed: this was a dry run\n$/)
    expect(await git(copy, 'status', '--porcelain')).toBe(before)
    expect(await git(copy, 'tag', '--list')).toBe('')
  })

  test.for([
    ['1.0.5', '--version 1.0.5 is too low: it must be at least 1.1.0'],
    ['1.1', "--version is three numbers, such as 1.2.0, not '1.1'"],
  ] as const)('a release as %s is a usage error', async ([version, complaint]) => {
    await editText(copy, allowMore)
    await commitAll(copy, 'Allow larger pages')
    const ended = await runIn(copy, release, '--version', version)
    expect(ended).toMatchObject({ status: 2, complaint: expect.stringContaining(complaint) })
  })

  test('notes on a breaking change need a major version', async () => {
    await editText(copy, allowMore)
    const file = join(copy, 'CHANGELOG.md')
    const notes = '## Next\n\n### Client, breaking\n\n- `retry` is `maxRetries`.\n\n## 1.0.0'
    await writeFile(file, (await readFile(file, 'utf8')).replace('## 1.0.0', notes))
    const ended = await runIn(copy, release, '--dry-run')
    expect(ended).toMatchObject({
      status: 2,
      complaint: expect.stringMatching(/'### Client, breaking'; .* --version 2\.0\.0\n$/),
    })
    const { status, output } = await runIn(copy, release, '--dry-run', '--version', '2.0.0')
    expect({ status, output }).toEqual({
      status: 0,
      output: expect.stringContaining('### Client, breaking\n\n- `retry` is `maxRetries`.'),
    })
  })

  test('outside of git a line says what to do', async () => {
    await rename(join(copy, '.git'), join(copy, '.aside'))
    const ended = await runIn(copy, release, '--dry-run')
    await rename(join(copy, '.aside'), join(copy, '.git'))
    expect(ended).toMatchObject({
      status: 2,
      complaint: expect.stringMatching(/^this folder is no repository of git, .*: git init\n$/),
    })
  })

  test('what the gate rejects is not released, whatever the version', async () => {
    const text = await editText(
      copy,
      set('paths /tools/{toolId}/manual get x-sunset', '2026-01-01'),
    )
    await commitAll(copy, 'Remove it sooner')
    const ended = await runIn(copy, release)
    expect(ended).toMatchObject({
      status: 1,
      complaint: expect.stringContaining(
        'GET /tools/{toolId}/manual was to be removed on 2026-01-01',
      ),
    })
    expect(await readFile(join(copy, 'spec/openapi.yaml'), 'utf8')).toBe(text)
  })
})
