import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { editSpec, runIn } from '../../helpers/project-copy.ts'
import { append, drop, remove, set } from '../../helpers/spec-edit.ts'
import { parameter } from './support/gate.ts'
import { commitAll, createFixtureRepository, git, startOver } from './support/repository.ts'

// Each comparison starts a program, which takes a while on a busy machine.
vi.setConfig({ testTimeout: 300_000 })

const copy = await createFixtureRepository()
beforeEach(() => startOver(copy))

const diff = (...args: string[]) => runIn(copy, 'scripts/diff.ts', ...args)
const print = async (...args: string[]) => (await diff(...args)).output
const compared = async () => JSON.parse(await print('--format', 'json'))

test('changes are reported to people, pages, programs and GitHub, breaking first, without markup of the description', async () => {
  await editSpec(
    copy,
    drop('components schemas Status enum', 'sold'),
    append('paths /tools get parameters', parameter(false)),
    set('paths /tools get summary', 'Find tools'),
    set('components schemas ErrorCode enum 0', '<img>|`x`\n::error::@me'),
  )
  const printed = await print()
  expect(
    printed.replaceAll(/:\d+\)/g, ':9)'),
  ).toBe(`Since 1.0.0 (spec/released.yaml): 4 changes, 1 of them breaking. The version must be 2.0.0 at least; it is 1.0.0.

major  components.schemas.Status  (spec/openapi.yaml:9)
       \`Status\` no longer allows \`sold\`.
       Requests that were valid are now rejected with 400.

minor  GET /tools  (spec/openapi.yaml:9)
       The query parameter \`owner\` is new.
       Requests may use it; those that are sent today stay valid.

minor  components.schemas.ErrorCode  (spec/openapi.yaml:9)
       \`ErrorCode\` now also allows \`<img>|'x' ::error::@me\` and no longer allows \`invalid_request\`.
       Error responses may contain it; code that decides by the status is not affected.

patch  GET /tools  (spec/openapi.yaml:9)
       The summary of GET /tools was reworded.
       Only what people read has changed; programs work as before.
`)
  const text = await readFile(join(copy, 'spec/openapi.yaml'), 'utf8')
  const line = text.split('\n').indexOf('      summary: Find tools') + 1
  expect(printed).toContain(`patch  GET /tools  (spec/openapi.yaml:${line})`)
  const json = JSON.parse(await print('HEAD', '--format', 'json'))
  const base = { version: '1.0.0', ref: 'HEAD' }
  expect(json).toMatchObject({ bump: 'major', base, needed: '2.0.0' })
  const bumps = json.changes.map(({ bump }: { bump: string }) => bump)
  expect(bumps).toEqual(['major', 'minor', 'minor', 'patch'])

  const markdown = await print('HEAD', '--format', 'markdown')
  expect(markdown).toMatch(/^### The contract\n\nSince 1\.0\.0 \(HEAD\): 4 changes, /)
  expect(markdown).toContain('| **major** | `components.schemas.Status`, spec/openapi.yaml:')
  expect(markdown).toContain("`&lt;img>\\|'x' ::error::@\u200bme`")

  const lines = (await print('--format', 'github')).trim().split('\n')
  expect(lines).toHaveLength(5)
  expect(lines[0]).toMatch(
    /^::warning file=spec\/openapi\.yaml,line=\d+,title=major%3A comp.*::`Status/,
  )
  expect(lines[1]).toMatch(
    /^::notice file=spec\/openapi\.yaml,line=\d+,title=minor%3A GET \/tools::The query/,
  )
  expect(lines.filter((line) => line.startsWith('::error'))).toEqual([])
})

test('a description in several files is compared with all that it had at a ref', async () => {
  const status = { description: 'How it is.', type: 'string', enum: ['available', 'sold'] }
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
  const get = { operationId: 'getPart', responses: { 204: { description: 'No part.' } } }
  const save = (name: string, content: object) =>
    writeFile(join(copy, 'spec/parts', name), JSON.stringify(content))
  await mkdir(join(copy, 'spec/parts'))
  await save('status.json', status)
  await save('path.json', { parameters: [id], get })
  const path = set('paths /parts/{id}', { $ref: './parts/path.json' })
  const schema = set('components schemas Status', { $ref: './parts/status.json' })
  await editSpec(copy, path, schema, remove('security'))
  await commitAll(copy, 'Divide the description')
  expect(await print('HEAD')).toContain('Nothing has changed')
  await save('status.json', { ...status, enum: ['available'] })
  await save('path.json', { parameters: [id, parameter(true)], get })
  await editSpec(copy, set('security', [{ apiKey: [] }]))
  const { changes } = JSON.parse(await print('HEAD', '--format', 'json'))
  for (const change of [
    {
      bump: 'major',
      file: 'spec/parts/status.json',
      what: 'The file status.json no longer allows `sold`.',
    },
    { bump: 'major', place: 'security', what: '`apiKey` is now required.' },
    { bump: 'major', place: 'GET /parts/{id}', file: 'spec/parts/path.json', line: 1 },
  ]) {
    expect(changes).toContainEqual(expect.objectContaining(change))
  }
  expect(changes).toHaveLength(3)
})

test('a comparison with a ref that is no release asks for the version that the last release needs', async () => {
  const one = append('paths /tools get parameters', parameter(false))
  await editSpec(copy, one, set('info version', '1.1.0'))
  await commitAll(copy, 'Filter by owner')
  await editSpec(copy, append('paths /tools/{toolId}/manual get parameters', parameter(false)))
  expect(await print('HEAD')).toMatch(
    /^Since 1\.1\.0 \(HEAD\): 1 change, .* The version, 1\.1\.0, allows for that\.\n/,
  )
})

test.for([
  [['nowhere'], 'git ref nowhere does not exist; give a tag, a branch or a commit'],
  [['HEAD', 'HEAD~1'], 'only one ref can be compared with; usage: npm run diff -- [REF]'],
  [['--format', 'xml'], "--format must be one of text, markdown, json, github, not 'xml'; usage: "],
] as const)('%j is rejected in one line', async ([args, line]) => {
  const { status, output, errorOutput } = await diff(...args)
  expect({ status, output }).toEqual({ status: 2, output: '' })
  expect(errorOutput).toContain(line)
  expect(errorOutput.trim().split('\n')).toHaveLength(1)
})

test('spec/released.yaml is the last release, and must be as the newest tag before HEAD has it', async () => {
  const script = "import { checkKept } from './diff/released.ts'\nconsole.log(await checkKept())\n"
  await writeFile(join(copy, 'scripts/kept.ts'), script)
  const check = async () => (await runIn(copy, 'scripts/kept.ts')).output.trim()
  const editKept = async (version: string) => {
    const kept = join(copy, 'spec/released.yaml')
    await writeFile(
      kept,
      (await readFile(kept, 'utf8')).replace(/ version: .*/, ` version: ${version}`),
    )
  }
  await editKept('1.1.0')
  expect(await check()).toBe('')
  const base = { ref: 'spec/released.yaml', version: '1.1.0' }
  expect(await compared()).toMatchObject({ base })
  await git(copy, 'tag', 'v1.0.0')
  await commitAll(copy, 'Edit what was released')
  for (const tag of ['v1.1.0-rc.1', 'vacation']) await git(copy, 'tag', tag)
  expect(await check()).toMatch(/^spec\/released\.yaml differs from v1\.0\.0, /)
  await git(copy, 'checkout', '--quiet', '-b', 'aside')
  for (const tag of ['v1.9.0', 'v1.10.0']) {
    await editKept(tag.slice(1))
    await commitAll(copy, 'Release')
    await git(copy, 'tag', tag)
  }
  expect(await check()).toBe('')
  await editKept('1.9.0')
  expect(await check()).toContain('differs from v1.10.0')
  await git(copy, 'checkout', '--quiet', '--force', 'main')
  expect(await check()).toContain('differs from v1.0.0')
})

test('where there is no release, and where there is no git, a line says so', async () => {
  await rm(join(copy, 'spec/released.yaml'))
  expect((await diff()).errorOutput).toBe(
    'there is no release yet; name a ref of git: npm run diff -- HEAD\n',
  )
  await rename(join(copy, '.git'), join(copy, '.aside'))
  const { errorOutput } = await diff('HEAD')
  await rename(join(copy, '.aside'), join(copy, '.git'))
  expect(errorOutput).toBe('HEAD cannot be looked up: this folder is not a git repository\n')
})
