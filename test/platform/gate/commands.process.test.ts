import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createProjectCopy, editSpec, runInCopy, tryInCopy } from '../../helpers/project-copy.ts'
import { append, changeLimit, drop, remove, set } from '../../helpers/spec-edit.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import type { UncheckedJson } from '../../helpers/unchecked-json.ts'
import { readBase } from '../pipeline/support/workspace.ts'
import { parameter } from './support/gate.ts'

/** A repository with the scripts of the project and the fixture API, released as 1.0.0. */
const manifests = ['package.json', 'package-lock.json', 'client/package.json']
const parts = [
  ...manifests,
  'redocly.yaml',
  'scripts',
  'server',
  'spec/platform.yaml',
  '.gitignore',
]
const copy = await createProjectCopy(parts, afterAll)
beforeAll(async () => {
  await write('spec/openapi.yaml', await readBase())
  await write('spec/released.yaml', await readBase())
  await write('CHANGELOG.md', '# Changelog\n\n## 1.0.0 (2026-01-01)\n\nThe first release.\n')
  const person = 'git config user.name A && git config user.email a@example.org'
  await git(`init --quiet --initial-branch=main && ${person}`)
  await commit('Begin')
  await git('branch begin')
})
beforeEach(async () => {
  await git('checkout --quiet --force main && git reset --quiet --hard begin')
  await git('clean --quiet --force -d && git tag --delete $(git tag --list)')
})

const write = (name: string, text: string) => writeFile(join(copy, name), text)
const git = (line: string) => runInCopy(copy, `git ${line}`)
const commit = (message: string) => git(`add --all && git commit --quiet --message '${message}'`)
const print = (args = '') => runInCopy(copy, `node scripts/diff.ts ${args}`)
const dryRun = (args = '') => tryInCopy(copy, `node scripts/release.ts --dry-run ${args}`)

test('changes are reported to people, pages, programs and GitHub, breaking first, without markup of the description', async () => {
  const text = await editSpec(
    copy,
    set('paths /tools get summary', 'Find tools'),
    set('components schemas Manual properties <img>|`x`\n::error::@me', { type: 'string' }),
    drop('components schemas Status enum', 'sold'),
  )
  const printed = await print()
  expect(
    printed.replaceAll(/:\d+\)/g, ':9)'),
  ).toBe(`Since 1.0.0 (spec/released.yaml): 2 changes, 1 of them breaking; 1 text or example was reworded. The version must be 2.0.0 at least; it is 1.0.0. What was reworded is listed with --all.

major  components.schemas.Status  (spec/openapi.yaml:9)  request-parameter-enum-value-removed
       \`Status\` no longer allows \`sold\`.
       Requests that were valid are now rejected with 400.

minor  components.schemas.Manual  (spec/openapi.yaml:9)  response-optional-property-added
       \`<img>|'x' ::error::@me\` of \`Manual\` is new.
       Responses may contain it; code ignores what it does not know.
`)
  const line = text.split('\n').indexOf('      summary: Find tools') + 1
  expect(await print('--all')).toContain(
    `patch  GET /tools  (spec/openapi.yaml:${line})  text-reworded\n       The summary of`,
  )

  const json: UncheckedJson = JSON.parse(await print('HEAD --format json'))
  const base = { version: '1.0.0', ref: 'HEAD' }
  expect(json).toMatchObject({ bump: 'major', base, needed: '2.0.0' })
  const bumps = json.changes.map(({ bump }: { bump: string }) => bump)
  expect(bumps).toEqual(['major', 'minor', 'patch'])
  const manual = { name: 'GET /tools/{toolId}/manual', operationId: 'getManual' }
  expect(json.changes[1].operations).toEqual([manual])

  const markdown = await print('HEAD --format markdown')
  expect(markdown).toMatch(/^### The contract\n\nSince 1\.0\.0 \(HEAD\): 2 changes, /)
  expect(markdown).toContain('| **major** | `components.schemas.Status`, spec/openapi.yaml:')
  expect(markdown).toContain("`&lt;img>\\|'x' ::error::@\u200bme`")
  expect(markdown).toMatch(
    /<details><summary>1 text or example was reworded<\/summary>\n\n\| bump /,
  )

  const place = String.raw`file=spec/openapi\.yaml,line=\d+,title`
  expect((await print('--format github')).trim().split('\n')).toEqual([
    expect.stringMatching(`^::warning ${place}=major%3A components.schemas.Status::\`Status\` no `),
    expect.stringMatching(`^::notice ${place}=minor%3A components.schemas.Manual::\`<img>`),
    expect.stringMatching('^::notice title=contract::Since 1.0.0 '),
  ])
})

test('after one reworded sentence, npm run diff prints one line', async () => {
  await editSpec(copy, set('paths /tools get summary', 'Find tools'))
  expect(await print()).toBe(
    'Since 1.0.0 (spec/released.yaml): no change; 1 text or example was reworded. The version must be 1.0.1 at least; it is 1.0.0. What was reworded is listed with --all.\n',
  )
})

test('a description in several files is compared with all that it had at a ref', async () => {
  const status = { description: 'How it is.', type: 'string', enum: ['available', 'sold'] }
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
  const get = { operationId: 'getPart', responses: { 204: { description: 'No part.' } } }
  const save = (name: string, content: object) =>
    write(`spec/parts/${name}.json`, JSON.stringify(content))
  await mkdir(join(copy, 'spec/parts'))
  await save('status', status)
  await save('path', { parameters: [id], get })
  const path = set('paths /parts/{id}', { $ref: './parts/path.json' })
  const schema = set('components schemas Status', { $ref: './parts/status.json' })
  await editSpec(copy, path, schema, remove('security'))
  await commit('Divide the description')
  expect(await print('HEAD')).toContain('Nothing has changed')
  await save('status', { ...status, enum: ['available'] })
  await save('path', { parameters: [id, parameter(true)], get })
  await editSpec(copy, set('security', [{ apiKey: [] }]))
  const { changes }: UncheckedJson = JSON.parse(await print('HEAD --format json'))
  const what = 'The file status.json no longer allows `sold`.'
  const found = [
    { bump: 'major', file: 'spec/parts/status.json', what },
    { bump: 'major', place: 'security', what: '`apiKey` is now required.' },
    { bump: 'major', place: '/parts/{id}', file: 'spec/parts/path.json', line: 1 },
  ]
  for (const change of found) {
    expect(changes).toContainEqual(expect.objectContaining(change))
  }
  expect(changes).toHaveLength(found.length)
})

test('a component that was moved to a file, and back, is one change that says so', async () => {
  const { components } = parse(await readBase())
  await write('spec/limit.json', JSON.stringify(components.parameters.Limit))
  const use = (target: string) => set('paths /tools get parameters 0', { $ref: target })
  await editSpec(copy, use('./limit.json'), remove('components parameters Limit'))
  const { changes }: UncheckedJson = JSON.parse(await print('HEAD --format json'))
  const same = { bump: 'patch', consequence: 'Requests and responses are the same.' }
  const moved = { ...same, what: 'The component `Limit` was moved to spec/limit.json.' }
  expect(changes).toEqual([expect.objectContaining(moved)])
  await commit('Move a component')
  const back = set('components parameters Limit', components.parameters.Limit)
  await editSpec(copy, use('#/components/parameters/Limit'), back)
  const later: UncheckedJson = JSON.parse(await print('HEAD --format json'))
  const what = '`Limit` is now a component; before, it was in HEAD:spec/limit.json.'
  expect(later.changes).toEqual([expect.objectContaining({ ...same, what })])
})

test('a comparison with a ref that is no release asks for the version that the last release needs', async () => {
  const one = append('paths /tools get parameters', parameter(false))
  await editSpec(copy, one, set('info version', '1.1.0'))
  await commit('Filter by owner')
  await editSpec(copy, append('paths /tools/{toolId}/manual get parameters', parameter(false)))
  expect(await print('HEAD')).toMatch(
    /^Since 1\.1\.0 \(HEAD\): 1 change, .* The version, 1\.1\.0, allows for that\.\n/,
  )
})

test('spec/released.yaml must be as the newest tag before HEAD has it', async () => {
  const keep = (text: string) => write('spec/released.yaml', text)
  const code =
    "import { checkKept } from './scripts/diff/released.ts'; console.log(await checkKept())"
  const check = () => runInCopy(copy, `node --input-type=module --eval "${code}"`)
  await keep('edited')
  expect(await check()).toBe('\n')
  await git('tag v1.0.0')
  await commit('Edit what was released')
  await git('tag v1.1.0-rc.1 && git tag vacation')
  expect(await check()).toMatch(/^spec\/released\.yaml differs from v1\.0\.0, /)
  await git('checkout --quiet -B aside')
  for (const tag of ['v1.9.0', 'v1.10.0']) {
    await keep(tag)
    await commit('Release')
    await git(`tag ${tag}`)
  }
  expect(await check()).toBe('\n')
  await keep('v1.9.0')
  expect(await check()).toContain('differs from v1.10.0')
  await git('checkout --quiet --force main')
  expect(await check()).toContain('differs from v1.0.0')
})

test('a shallow clone without tags says that spec/released.yaml was compared with none', async () => {
  const code =
    "import { findMissingTags } from './scripts/diff/released.ts'; console.log(await findMissingTags())"
  const find = (folder: string) => runInCopy(folder, `node --input-type=module --eval "${code}"`)
  expect(await find(copy)).toBe('\n')
  await git('tag v1.0.0')
  const shallow = join(createTemporaryFolder(), 'shallow')
  await git(`clone --quiet --depth 1 --no-tags file://${copy} ${shallow}`)
  expect(await find(shallow)).toMatch(
    /^spec\/released\.yaml was compared with no tag, .* git fetch --unshallow --tags\n$/,
  )
  await runInCopy(shallow, 'git fetch --quiet --unshallow --tags')
  expect(await find(shallow)).toBe('\n')
})

const larger = changeLimit(100)

test('a dry run shows the whole release, rejects a lower version, and changes nothing', async () => {
  await editSpec(copy, larger)
  const before = await git('status --porcelain')
  const { status, output } = await dryRun()
  expect(status).toBe(0)
  expect(output).toContain('release 1.1.0 writes:\n  CHANGELOG.md\n  package.json\n')
  expect(output).toContain('`limit` is now `150`')
  expect(output).toMatch(/nothing was changed: this was a dry run\n$/)
  const tooLow = expect.stringMatching(/^1\.0\.5 is too low: it must be at least 1\.1\.0 /)
  expect(await dryRun('--version 1.0.5')).toEqual({ status: 2, output: tooLow })
  expect(await git('status --porcelain')).toBe(before)
  expect(await git('tag --list')).toBe('')
})

test('notes on a breaking change need a major version, and stand above descriptions', async () => {
  await editSpec(copy, larger, set('paths /tools get summary', 'Find tools'))
  const changelog = await readFile(join(copy, 'CHANGELOG.md'), 'utf8')
  const notes = '## Next\n\n### Client, breaking\n\n- `retry` is `maxRetries`.\n\n## 1.0.0'
  await write('CHANGELOG.md', changelog.replace('## 1.0.0', notes))
  const tooLow = expect.stringMatching(/^1\.1\.0 .*'### Client, breaking'; .*--version 2\.0\.0\n$/)
  expect(await dryRun('--version 1.1.0')).toEqual({ status: 2, output: tooLow })
  expect(await print()).toContain(
    "CHANGELOG.md has the heading '### Client, breaking'. The version must be 2.0.0 at least",
  )
  expect(await dryRun()).toEqual({
    status: 0,
    output: expect.stringMatching(
      /### New\n\n[^#]+\n\n### Client, breaking\n\n- `retry` is `maxRetries`\.\n\n### Descriptions and examples\n/,
    ),
  })
})

test('what the gate rejects is not released', async () => {
  await editSpec(copy, set('paths /tools/{toolId}/manual get x-sunset', '2026-01-01'))
  const overdue = expect.stringMatching(/^spec\S+ .*\/manual was to be removed on 2026-01-01 .*\n$/)
  expect(await dryRun()).toEqual({ status: 1, output: overdue })
})

/** Expects a line of the shell to fail with no more than its error. */
async function expectRejected(line: string, error: RegExp) {
  const ended = await tryInCopy(copy, line)
  expect(ended).toEqual({ status: 2, output: expect.stringMatching(error) })
}

test.for([
  ['nowhere', /^git ref nowhere does not exist; give a tag, a branch or a commit\n$/],
  ['HEAD HEAD~1', /^only one ref can be compared with; usage: npm run diff -- \[REF\] .*\n$/],
  ['--format xml', /^--format must be one of text, markdown, json, github, not 'xml'; .*\n$/],
] as const)('npm run diff -- %s is rejected in one line', ([args, error]) =>
  expectRejected(`node scripts/diff.ts ${args}`, error),
)

test('where there is no release, and where there is no git, npm run diff says so', async () => {
  const none = /^there is no release yet; name a ref of git: npm run diff -- HEAD\n$/
  await expectRejected('rm spec/released.yaml && node scripts/diff.ts', none)
  const outside = /^HEAD cannot be looked up: this folder is not a git repository\n$/
  await expectRejected('GIT_DIR=none node scripts/diff.ts HEAD', outside)
})

test.for([
  ['at no such place', 'GET /nowhere', '', /there is no change endpoint-added at GET \/nowhere/],
  ['whose day is over', 'GET /new', '\n  until: 2026-01-01', / held until 2026-01-01; remove it/],
] as const)(
  'where there is no release, an accepted change %s is an error',
  async ([, place, day, error]) => {
    await editSpec(copy, set('paths /new', { get: { responses: { 200: { description: 'New' } } } }))
    const entry = `- id: endpoint-added\n  place: ${place}\n  reason: None.${day}\n`
    await write('spec/accepted-changes.yaml', entry)
    const { status, output } = await tryInCopy(
      copy,
      'rm spec/released.yaml && node scripts/diff.ts HEAD',
    )
    expect(output).toMatch(error)
    expect(status).toBe(1)
  },
)

test.for([
  ['what has not changed', 'true', /^nothing to release: the contract is that of 1\.0\.0; .*\n$/],
  ['what is not committed', 'touch a.md', /^there are changes .*\n\?\? a\.md\n$/],
  ['what is on no branch', 'git checkout -q --detach', /^no branch .*: git switch BRANCH\n$/],
  ['what is outside of git', 'export GIT_DIR=none', /^this folder is not .*: git init\n$/],
] as const)('%s is not released', ([, before, error]) =>
  expectRejected(`${before} && node scripts/release.ts`, error),
)

test('a version that is not three numbers is not released', () =>
  expectRejected('node scripts/release.ts --version 1.1', /such as 1\.2\.0, not '1\.1'; .*\n$/))
