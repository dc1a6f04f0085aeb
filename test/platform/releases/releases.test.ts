import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type Document, parse } from 'yaml'
import { bumpVersion } from '../../../scripts/diff/contract-diff.ts'
import { callOnce } from '../../helpers/call-once.ts'
import { expectFailure } from '../../helpers/npm-script.ts'
import { startProgram } from '../../helpers/program.ts'
import { editSpec, runInCopy, tryInCopy } from '../../helpers/project-copy.ts'
import { type Edit, editText, remove, set } from '../../helpers/spec-edit.ts'
import type { UncheckedJson } from '../../helpers/unchecked-json.ts'
import { createBookClub, readVersion } from './guide.ts'

// The tests release one project again and again, the one of the guide, because a copy for each would take
// minutes. A test makes what it needs unless one above it has made that, so that each can be run alone.
const copy = await createBookClub(afterAll)

test('docs/your-own-api.md leads to a project whose first release has the version of its description', async () => {
  const none = 'there is no release yet'
  expect(await run('npm run -s check')).toContain(`  ${none} to compare with; make the first one`)
  expect((await tryInCopy(copy, 'npm run -s diff')).output).toMatch(new RegExp(`^${none}; name a`))

  const output = await makeFirstRelease()
  expect(output).toContain('released 1.0.0; to publish it: ')
  await expectReleased('1.0.0')
  expect(read('CHANGELOG.md')).toMatch(/^## 1\.0\.0 \([\d-]+\)\n\nThe first release\.\n/m)
  const nothing = 'Nothing has changed in the contract since 1.0.0 (spec/released.yaml).\n'
  expect(await run('npm run -s diff')).toBe(nothing)
})

/** Makes the first release, which fails once while it writes its files; returns what it prints. */
const makeFirstRelease = callOnce(async () => {
  const lock = read('package-lock.json')
  write('package-lock.json', lock.replace(/^ {2}"version".*\n/m, ''))
  await run('git commit --quiet --all --message Broken')
  const before = await readState()
  const failed = await tryInCopy(copy, 'npm run -s release')
  expect(failed.output).toContain('there is no version to write the version 1.0.0 to')
  expect(await readState()).toBe(before)
  await run('git reset --quiet --hard HEAD~1')
  return run('npm run -s release')
})

/** Rewords a summary, which needs a patch, and raises the version; returns that. */
const reword = callOnce(async () => {
  await makeFirstRelease()
  const version = await nextPatch()
  await commitEdit(set('info version', version), set('paths /books get summary', 'Reworded'))
  return version
})

test('a release that git rejects leaves everything as it was', async () => {
  const version = await reword()
  write('.git/hooks/pre-commit', '#!/bin/sh\necho "not on a Friday" >&2; exit 1\n')
  await run('chmod +x .git/hooks/pre-commit')
  const before = await readState()
  const { status, output } = await tryInCopy(copy, `npm run -s release -- --version ${version}`)
  expect(status).toBe(1)
  expect(output).toContain('git commit failed: not on a Friday')
  expect(await readState()).toBe(before)
  await run('rm .git/hooks/pre-commit')
})

test('a reworded description is released as a patch, which stamps every version and keeps every comment', async () => {
  const version = await reword()
  const text = readSpec()
  await release(version, ` -- --version ${version}`)
  expect(readSpec()).toBe(text.replace(/^ {2}version: .*$/m, `  version: ${version}`))
  const readJson = (name: string): UncheckedJson => JSON.parse(read(name))
  const lock = readJson('package-lock.json')
  const versions = [
    ...['package.json', 'client/package.json'].map((name) => readJson(name).version),
    ...[lock.version, lock.packages[''].version, parse(read('spec/released.yaml')).info.version],
    readJson('generated/openapi.json').info.version,
  ]
  expect(versions).toEqual(versions.map(() => version))
  expect(read('CHANGELOG.md').replaceAll(/\d{4}-\d\d-\d\d/g, 'DAY')).toMatch(
    /^# Changelog\n\n[^#]*\n\n## [\d.]+ \(DAY\)\n\n(?:(?!## ).*\n)*### Descriptions and examples\n\n- 1 text or example was reworded\.\n(?:\n## |$)/,
  )
  expect(read('CHANGELOG.md')).not.toContain('## Next')
  expect(await run('git log -1 --format=%s')).toBe(`Release ${version}\n`)
  expect(await run('git tag --list --format="%(contents)" --points-at HEAD')).toContain(
    '### Descriptions',
  )
  expect(await run('npm run -s generate')).toContain('nothing changed')
  const nothing = `Nothing has changed in the contract since ${version} (spec/released.yaml).\n`
  expect(await run('npm run -s diff')).toBe(nothing)
})

test('every failure of npm run check is reported, with the code that an edit leaves to change, and nothing is released', async () => {
  await breakEverything()
  const before = await readState()
  const { status, output } = await tryInCopy(copy, 'npm run -s release')
  expect(status).toBe(1)
  expect(output).toMatch(/^nothing was released, because the checks failed; /m)
  for (const failure of failures) {
    expect(output).toMatch(failure)
  }
  // What is generated, and the client, follow any edit.
  expect(output).not.toMatch(/^ {2}(?:generated|client)\/.* error TS/m)
  expect(await readState()).toBe(before)
})

const failures = [
  /^FAILED spec lint and freshness of generated\/ \(\d+\.\d s\)$/m,
  /^ {2}generated\/operations\.ts is stale; run: npm run generate$/m,
  /^ {2}generated\/openapi\.json\.sha256 is missing; run: npm run generate$/m,
  /^ {2}generated\/notes\.md does not come from the spec; /m,
  /^FAILED version, sunsets and stored values since the last release .*\n {2}spec\/released\.yaml differs from (\S+), .*git checkout \1 -- spec\/released\.yaml$/m,
  /^FAILED API workflows \(Arazzo\) .*\n {2}spec\/workflows\.arazzo\.yaml:\d+:\d+ .*: there is no operation missingOperation$/m,
  /^FAILED parameters that handlers read .*\n {2}server\/api\/books\.ts:\d+:\d+ query parameter `colour` of listBooks is not read by any handler$/m,
  /^FAILED code lint and format/m,
  /^ {2}most of this is fixed by: npm run format$/m,
  /^FAILED types/m,
  /^ {2}server\/api\/books\.ts\(.* Expected 3 arguments, but got 2\.$/m,
  /^ {2}server\/api\/books\.ts\(.* Property 'title' does not exist on type /m,
  /^ {2}server\/api\/schema\.ts\(.*'author'/m,
  /^ {2}server\/api\/handlers\.ts\(.* Property 'listCopies' is missing in type /m,
  /^\d of \d failed$/m,
]

const workflows = `arazzo: 1.0.1
info: { title: Reading, version: 1.0.0 }
sourceDescriptions: [{ name: books, url: openapi.yaml, type: openapi }]
workflows:
  - workflowId: read
    steps: [{ stepId: list, operationId: missingOperation }]
`

/** Gives every step of the check a failure. */
const breakEverything = callOnce(async () => {
  await makeFirstRelease()
  const link = { description: 'New.', example: 'a', schema: { type: 'string' }, required: true }
  const schema = { type: 'string' }
  const colour = { name: 'colour', in: 'query', description: 'New.', example: 'a', schema }
  const edits = [
    set('paths /books get parameters', [colour]),
    set('paths /books get responses 200 headers', { Link: link }),
    set('paths /books post requestBody required', false),
    remove('components schemas NewBook properties author'),
    remove('components schemas NewBook required 1'),
    addListCopies,
  ]
  const platformFile = 'spec/platform.yaml'
  const reused = remove('x-common idempotencyKeyResponses 422')
  write(platformFile, editText(read(platformFile), reused))
  await commitEdit(...edits)
  write('spec/workflows.arazzo.yaml', workflows)
  write('spec/released.yaml', `${read('spec/released.yaml')}# Changed by hand.\n`)
  write('generated/operations.ts', `${read('generated/operations.ts')}// Changed by hand.\n`)
  write('generated/notes.md', 'mine')
  write('server/misplaced.ts', 'export const a = 1;\n')
  await run(
    'rm generated/openapi.json.sha256 && git add --all && git commit --quiet --message Break',
  )
})

/** Adds a copy of `listBooks` that has no handler. */
function addListCopies(description: Document): void {
  const { get } = description.toJS().paths['/books']
  set('paths /copies', { get: { ...get, operationId: 'listCopies' } })(description)
}

test('without the digest of its description, without a handler, and with a description that was changed by hand, the service does not start', async () => {
  await breakEverything()
  const env = { PORT: '0', DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'silent' }
  const start = () => startProgram(join(copy, 'server/main.ts'), [], { cwd: copy, env }).ended
  await expectFailure(start(), /^There is no \S+openapi\.json\.sha256\. .*Run: npm run generate$/)
  await run('rm generated/notes.md && npm run -s generate')
  await expectFailure(
    start(),
    'Operation listCopies has no handler. Write one, or put `sampled` in its place.',
  )
  write('generated/openapi.json', `${read('generated/openapi.json')}\n`)
  await expectFailure(
    start(),
    /^\S+openapi\.json is not what was generated with the rest\. .*Run: npm run generate$/,
  )
})

/** Returns the version of the next patch. */
async function nextPatch(): Promise<string> {
  return bumpVersion(await readVersion(copy), 'patch')
}

/** Returns what is not committed, the commit, and the tags. */
function readState(): Promise<string> {
  return run('git status --porcelain && git rev-parse HEAD && git tag --list')
}

function read(name: string, folder = copy): string {
  return readFileSync(join(folder, name), 'utf8')
}

function write(name: string, text: string, folder = copy): void {
  writeFileSync(join(folder, name), text)
}

function readSpec(): string {
  return read('spec/openapi.yaml')
}

/** Edits the spec, and commits that with what is generated of it. */
async function commitEdit(...edits: readonly Edit[]): Promise<void> {
  await editSpec(copy, ...edits)
  await run('npm run -s generate && git add --all && git commit --quiet --message Edit')
}

/** Releases what is committed, which passes all of `npm run check` first. */
async function release(version: string, options = ''): Promise<void> {
  await run(`npm run -s release${options}`)
  await expectReleased(version)
}

/** Expects the tag of a version, and a clean working tree. */
async function expectReleased(version: string): Promise<void> {
  expect(await run('git describe --exact-match')).toBe(`v${version}\n`)
  expect(await run('git status --porcelain')).toBe('')
}

const run = (line: string) => runInCopy(copy, line)
