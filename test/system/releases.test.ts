import { copyFileSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { project } from '../helpers/program.ts'
import { follow, run as runIn } from './guide.ts'
import { createClone } from './init/own-project.ts'

const timeout = 600_000
const readPage = (name: string) => readFileSync(join(project, 'docs', name), 'utf8')

const copy = await createClone(afterAll)

beforeAll(async () => {
  // The spec of the working tree is the last release, whatever it changes.
  copyFileSync(join(copy, 'spec/openapi.yaml'), join(copy, 'spec/released.yaml'))
  // Notes on a breaking change of the client would need a major version.
  writeFileSync(
    join(copy, 'CHANGELOG.md'),
    read('CHANGELOG.md').replace(/^(### .*), breaking.*$/m, '$1'),
  )
  const person = 'git config user.name A && git config user.email a@example.org'
  await run(`git init --quiet && ${person} && git add --all && git commit --quiet --message A`)
}, timeout)

// The tests run after the next release, when this edit is still there.
test('a reworded description is released as a patch, which stamps every version and keeps every comment', {
  timeout,
}, async () => {
  const next = nextVersion('patch')
  editSpec([/^ {2}version: .*$/m, `  version: ${next}`], [/^ {2}summary: /m, '$&(Reworded) '])
  const text = readSpec()
  const version = nextVersion('patch')
  await release(version, ` -- --version ${version}`)
  expect(readSpec()).toBe(text.replace(`version: ${next}`, `version: ${version}`))
  const lock = JSON.parse(read('package-lock.json'))
  const versions = [
    ...['package.json', 'client/package.json'].map((name) => JSON.parse(read(name)).version),
    ...[lock.version, lock.packages[''].version, parse(read('spec/released.yaml')).info.version],
    JSON.parse(read('generated/openapi.json')).info.version,
  ]
  expect(versions).toEqual(versions.map(() => version))
  expect(read('CHANGELOG.md').replaceAll(/\d{4}-\d\d-\d\d/g, 'DAY')).toMatch(
    /^# Changelog\n\n[^#]*\n\n## [\d.]+ \(DAY\)\n\n(?:(?!## ).*\n)*### Descriptions and examples\n\n- The summary .* was reworded\. [^\n]*\n\n##/,
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

test('docs/add-an-operation.md adds an operation and releases it as a minor version', {
  timeout,
}, async () => {
  const version = nextVersion('minor')
  await follow(copy, withVersion(readPage('add-an-operation.md'), version))
  await expectReleased(version)
  expect(read('CHANGELOG.md')).toMatch(/^## [\d.]+ \([\d-]+\)\n\n### New\n\n- .*`countPets`/m)
  await runTestsOfSpec()
})

test('docs/add-a-field.md adds a field, which every operation has', { timeout }, async () => {
  await follow(copy, withVersion(readPage('add-a-field.md'), nextVersion('minor')))
  await runTestsOfSpec()
})

// With the field, which is not released yet.
test('a lower maximum is released as a major version', { timeout }, async () => {
  const version = nextVersion('major')
  editSpec(
    [/^ {2}version: .*$/m, `  version: ${version}`],
    [/(?<=^ {4}Limit:\n(?: {6}.*\n)* {6}.*maximum: )\d+/m, '50'],
  )
  await release(version)
  await runTestsOfSpec()
})

/** Runs the tests that read the spec or `generated/`, beside the type tests, which `check` compiles. */
async function runTestsOfSpec(): Promise<void> {
  const files = [
    ...globSync('test/pets/!(*.process|*.long|postgres).test.ts', { cwd: copy }),
    // Those that replace what is generated do not read it.
    ...globSync('test/client/!(*.process|*.long).test.ts', { cwd: copy }).filter(
      (file) => read(file).includes('/generated/') && !read(file).includes('vi.mock('),
    ),
  ]
  // In one process, because loading takes most of their time.
  await run(`npx --no-install vitest run --no-isolate --maxWorkers 1 ${files.join(' ')}`)
}

const withVersion = (page: string, version: string) =>
  page.replaceAll(/^ {2}version: .*$/gm, `  version: ${version}`)

/** Returns the version after the one of the copy. */
function nextVersion(change: 'patch' | 'minor' | 'major'): string {
  const [, major = 0, minor = 0, patch = 0] =
    /^ {2}version: (\d+)\.(\d+)\.(\d+)$/m.exec(readSpec())?.map(Number) ?? []
  if (change === 'patch') return `${major}.${minor}.${patch + 1}`
  return change === 'minor' ? `${major}.${minor + 1}.0` : `${major + 1}.0.0`
}

function read(name: string): string {
  return readFileSync(join(copy, name), 'utf8')
}

function readSpec(): string {
  return read('spec/openapi.yaml')
}

function editSpec(...edits: readonly (readonly [RegExp, string])[]): void {
  let text = readSpec()
  for (const [pattern, replacement] of edits) {
    expect(text).toMatch(pattern)
    text = text.replace(pattern, replacement)
  }
  writeFileSync(join(copy, 'spec/openapi.yaml'), text)
}

async function release(version: string, options = ''): Promise<void> {
  await run('npm run -s generate && git add --all && git commit --quiet --message Edit')
  // It runs all of `npm run check`, and releases nothing when a check fails.
  await run(`npm run -s release${options}`)
  await expectReleased(version)
}

/** Expects the tag of a version, and a clean working tree. */
async function expectReleased(version: string): Promise<void> {
  expect(await run('git describe --exact-match')).toBe(`v${version}\n`)
  expect(await run('git status --porcelain')).toBe('')
}

const run = (line: string) => runIn(copy, line)
