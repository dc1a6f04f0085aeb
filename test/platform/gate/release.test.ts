import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { writeFiles } from '../../../scripts/release/write.ts'
import { runIn } from '../drift/support/compiling.ts'
import { removeCopy } from '../drift/support/project-copy.ts'
import { remove, set, together } from '../pipeline/support/spec-edit.ts'
import { createFolder, readFolder } from '../pipeline/support/workspace.ts'
import {
  allowMore,
  commitAll,
  createFixtureRepository,
  createRepository,
  editFor,
  editText,
  git,
  startOver,
  writeHook,
} from './support/repository.ts'

// Each release runs the checks, which takes a while on a busy machine; release.long.test.ts has more.
vi.setConfig({ testTimeout: 300_000 })

const release = 'scripts/release.ts'
const reworded = set('paths /pets get description', 'A page, reworded.')

test('a release that git rejects leaves everything as it was; the next stamps every version and lists what is new', async () => {
  const copy = await createRepository()
  await git(copy, 'tag', 'v1.0.0')
  const text = await editFor('1.1.0', copy, together(allowMore, reworded))
  await commitAll(copy, 'Allow larger pages')
  const head = await git(copy, 'rev-parse', 'HEAD')
  await writeHook(copy, 'echo "not on a Friday" >&2; exit 1')
  expect(await runIn(copy, release)).toMatchObject({
    status: 1,
    complaint: expect.stringContaining('git commit failed: not on a Friday'),
  })
  expect(await git(copy, 'status', '--porcelain')).toBe('')
  expect(await git(copy, 'rev-parse', 'HEAD')).toBe(head)

  await writeHook(copy, 'exit 0')
  const { status, output, complaint } = await runIn(copy, release, '--version', '1.2.0')
  expect({ status, complaint }).toEqual({ status: 0, complaint: '' })
  expectChecked(output)
  const read = (name: string) => readFile(join(copy, name), 'utf8')
  expect(await read('spec/openapi.yaml')).toBe(text.replace('version: 1.1.0', 'version: 1.2.0'))
  for (const name of ['package.json', 'client/package.json', 'package-lock.json']) {
    expect(JSON.parse(await read(name))).toMatchObject({ version: '1.2.0' })
  }
  const lock = JSON.parse(await read('package-lock.json'))
  expect(lock.packages['']).toMatchObject({ version: '1.2.0' })
  expect(JSON.parse(await read('generated/openapi.json')).info.version).toBe('1.2.0')
  expect(parse(await read('spec/released.yaml')).info.version).toBe('1.2.0')
  expect(await read('CHANGELOG.md')).toMatch(
    /^# Changelog\n\n[^#]*\n\n## 1\.2\.0 \(\d{4}-\d\d-\d\d\)\n\n### New\n\n- `components\.parameters\.Limit`: `maximum` of the query parameter `limit` is now `\d+`; [^\n]*\n\n### Unnoticed by programs\n\n- The description of GET \/pets was reworded\. [^\n]*\n\n## 1\.0\.0 /,
  )
  expect(await git(copy, 'log', '-1', '--format=%s')).toBe('Release 1.2.0')
  expect(await git(copy, 'for-each-ref', '--format=%(contents)', 'refs/tags/v1.2.0')).toContain(
    '### New',
  )
  expect(await git(copy, 'status', '--porcelain')).toBe('')
  expect((await runIn(copy, 'scripts/generate.ts')).output).toContain('nothing changed')
  expect((await runIn(copy, 'scripts/diff.ts')).output).toBe(
    'Nothing has changed in the contract since v1.2.0.\n',
  )
})

/** Expects a line for each step of the check, and the score of the spec. */
function expectChecked(output: string): void {
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
  expect(output).toMatch(/^ {2}agentReadiness \d.* errorClarity \d+(?:\.\d)?$/m)
}

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
    expect(output).toContain('release 1.1.0 changes:\n  CHANGELOG.md\n  package.json\n')
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

  test('what the gate refuses is not released, whatever the version', async () => {
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

  test('a description that the linter refuses is not released, and its fault is named in its place', async () => {
    await editText(copy, remove('paths /tools get responses 500'))
    await commitAll(copy, 'Promise that nothing fails')
    const ended = await runIn(copy, release)
    expect(ended.status).toBe(1)
    expect(ended.complaint).toMatch(/^spec\/openapi\.yaml:\d+:\d+ rule\/operation-statuses /m)
    expect(await git(copy, 'status', '--porcelain')).toBe('')
  })
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
