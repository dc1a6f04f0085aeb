import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { together } from '../edits/support/changes.ts'
import { runIn } from '../edits/support/compiling.ts'
import { set } from '../pipeline/support/spec-edit.ts'
import { append, parameter } from './support/lists.ts'
import {
  commitAll,
  createReleasable,
  createRepository,
  editText,
  forgetRelease,
  git,
} from './support/repository.ts'

const release = 'scripts/release.ts'
const added = together(
  append('paths /pets get parameters', parameter(false)),
  set('paths /pets get description', 'A page of animals.'),
)

test('the first release is what the description says, with its operations in the changelog', async () => {
  const copy = await createRepository()
  await forgetRelease(copy)
  const { status, output } = await runIn(copy, release)
  expect(output).toContain('released 1.0.0; to publish it: git push --follow-tags')
  expect(status).toBe(0)
  expect(await git(copy, 'tag', '--list')).toBe('v1.0.0')
  expect(await git(copy, 'cat-file', '-t', 'v1.0.0')).toBe('tag')
  const changelog = await readFile(join(copy, 'CHANGELOG.md'), 'utf8')
  expect(changelog).toContain('- `GET /pets`, `listPets`: List animals.\n')
  expect(changelog).toContain('(deprecated, goes on 2030-12-05).\n')
  expect(await git(copy, 'status', '--porcelain')).toBe('')
})

test('a release that lacks only its tag gets it, and then there is nothing to release', async () => {
  const copy = await createRepository()
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

test('a release stamps every version, keeps every comment and tells consumers what is new', async () => {
  const copy = await createRepository()
  await git(copy, 'tag', 'v1.0.0')
  const text = await editText(copy, added)
  await commitAll(copy, 'Filter by owner')
  const { status, complaint } = await runIn(copy, release)
  expect(complaint).toBe('')
  expect(status).toBe(0)
  const read = (name: string) => readFile(join(copy, name), 'utf8')
  expect(await read('spec/openapi.yaml')).toBe(text.replace('version: 1.0.0', 'version: 1.1.0'))
  for (const name of ['package.json', 'client/package.json', 'package-lock.json']) {
    expect(JSON.parse(await read(name))).toMatchObject({ version: '1.1.0' })
  }
  const lock = JSON.parse(await read('package-lock.json'))
  expect(lock.packages['']).toMatchObject({ version: '1.1.0' })
  expect(JSON.parse(await read('generated/openapi.json')).info.version).toBe('1.1.0')
  expect(parse(await read('spec/released.yaml')).info.version).toBe('1.1.0')
  expect(await read('CHANGELOG.md')).toMatch(
    /^# Changelog\n\n[^#]*\n\n## 1\.1\.0 \(\d{4}-\d\d-\d\d\)\n\n### New\n\n- `GET \/pets`: The query parameter `owner` is new and optional\. [^\n]*\n\n### Unnoticed by programs\n\n- The description of GET \/pets was reworded\. [^\n]*\n\n## 1\.0\.0 /,
  )
  expect(await git(copy, 'log', '-1', '--format=%s')).toBe('Release 1.1.0')
  expect(await git(copy, 'for-each-ref', '--format=%(contents)', 'refs/tags/v1.1.0')).toContain(
    '### New',
  )
  expect(await git(copy, 'status', '--porcelain')).toBe('')
  expect((await runIn(copy, 'scripts/generate.ts')).output).toContain('nothing changed')
  expect((await runIn(copy, 'scripts/diff.ts')).output).toBe(
    'Nothing has changed in the contract since v1.1.0.\n',
  )
})

test('what is not committed is not released', async () => {
  const copy = await createRepository()
  await writeFile(join(copy, 'notes.md'), 'mine')
  const { status, complaint } = await runIn(copy, release)
  expect(status).toBe(2)
  expect(complaint).toMatch(/^there are changes that are not committed; .*\n\?\? notes\.md\n$/)
  expect(await git(copy, 'tag', '--list')).toBe('')
})

test('a dry run shows the whole release and changes nothing', async () => {
  const copy = await createRepository()
  await editText(copy, added)
  const before = await git(copy, 'status', '--porcelain')
  const { status, output } = await runIn(copy, release, '--dry-run')
  expect(status).toBe(0)
  expect(output).toContain('release 1.1.0 changes:\n  CHANGELOG.md\n  package.json\n')
  expect(output).toContain('is new and optional')
  expect(output).toMatch(/nothing was changed: this was a dry run\n$/)
  expect(await git(copy, 'status', '--porcelain')).toBe(before)
  expect(await git(copy, 'tag', '--list')).toBe('')
})

test('outside of git everything is done but the tag, and the gate goes by spec/released.yaml', async () => {
  const copy = await createReleasable()
  await editText(copy, added)
  const { status, output } = await runIn(copy, release)
  expect(output).toContain('released 1.1.0, without a tag: this is no repository of git')
  expect(status).toBe(0)
  expect((await runIn(copy, 'scripts/diff.ts')).output).toContain(
    'since 1.1.0 (spec/released.yaml)',
  )
})

test.for([
  ['1.0.5', 2, '--version 1.0.5 is too low: it must be at least 1.1.0'],
  ['1.1', 2, "--version is three numbers, such as 1.2.0, not '1.1'"],
  ['3.0.0', 0, ''],
] as const)('a release as %s ends with %i', async ([version, status, complaint]) => {
  const copy = await createReleasable()
  await editText(copy, added)
  const ended = await runIn(copy, release, '--version', version)
  expect(ended).toMatchObject({ status, complaint: expect.stringContaining(complaint) })
})

test('what the gate refuses is not released, whatever the version', async () => {
  const copy = await createReleasable()
  const text = await editText(copy, set('paths /pets/{petId} get x-sunset', '2026-01-01'))
  const ended = await runIn(copy, release)
  expect(ended).toMatchObject({
    status: 1,
    complaint: expect.stringContaining('GET /pets/{petId} was to go on 2026-01-01'),
  })
  expect(await readFile(join(copy, 'spec/openapi.yaml'), 'utf8')).toBe(text)
})
