import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { printReport } from '../../../scripts/diff/report.ts'
import { runIn } from '../drift/support/compiling.ts'
import { removeCopy } from '../drift/support/project-copy.ts'
import { append, drop, set, together } from '../pipeline/support/spec-edit.ts'
import { parameter } from '../spec-edits/released-edits.ts'
import {
  commitAll,
  createFixtureRepository,
  editText,
  forgetRelease,
  git,
  startOver,
} from './support/repository.ts'

// Each comparison starts a program, which takes a while on a busy machine.
vi.setConfig({ testTimeout: 300_000 })

let copy: string
beforeAll(async () => {
  copy = await createFixtureRepository()
  return () => removeCopy(copy)
})
beforeEach(() => startOver(copy))

const diff = 'scripts/diff.ts'
const edit = together(
  drop('components schemas Status enum', 'sold'),
  append('paths /tools get parameters', parameter(false)),
  set('paths /tools get summary', 'List <b>tools</b> | @everybody'),
)
const summary = 'The version must be 2.0.0 at least; it is 1.0.0.'

test('a change is shown to people, to pages, to programs and to GitHub, breaking first', async () => {
  await editText(copy, edit)
  const show = async (...args: string[]) => {
    const { status, output } = await runIn(copy, diff, ...args)
    expect(status).toBe(0)
    return output
  }
  expect(
    await show(),
  ).toBe(`Since 1.0.0 (spec/released.yaml): 3 changes, 1 of them breaking. ${summary}

major  components.schemas.Status
       \`Status\` no longer allows \`sold\`.
       Requests that were accepted until now are refused with 400.

minor  GET /tools
       The query parameter \`owner\` is new and optional.
       Requests may send it; those that are sent today stay valid.

patch  GET /tools
       The summary of GET /tools was reworded.
       Only what people read has changed; programs work as before.
`)
  const text = await show('HEAD', '--format', 'json')
  const markdown = printReport(JSON.parse(text), 'markdown')
  expect(markdown).toMatch(/^### The contract\n\nSince 1\.0\.0 \(HEAD\): 3 changes, /)
  expect(markdown).toContain(
    '| **major** | `components.schemas.Status` | `Status` no longer allows `sold`. | Requests',
  )
  const json = JSON.parse(text)
  expect(json).toMatchObject({
    step: 'major',
    base: { version: '1.0.0', ref: 'HEAD' },
    current: { version: '1.0.0' },
    needed: '2.0.0',
  })
  expect(json.changes.map(({ step }: { step: string }) => step)).toEqual([
    'major',
    'minor',
    'patch',
  ])
  const lines = printReport(json, 'github').split('\n')
  expect(lines).toHaveLength(4)
  expect(lines[0]).toMatch(
    /^::warning file=spec\/openapi\.yaml,title=major%3A components.*::`Status/,
  )
  expect(lines[1]).toMatch(
    /^::notice file=spec\/openapi\.yaml,title=minor%3A GET \/tools::The query/,
  )
})

test('a value of the description can be neither markup nor a line of its own in a report', async () => {
  await editText(copy, set('components schemas ErrorCode enum 0', '<img>|`x`\n::error::@me'))
  const markdown = (await runIn(copy, diff, '--format', 'markdown')).output
  expect(markdown).toContain("`&lt;img>\\|'x' ::error::@\u200bme`")
  const { output: github } = await runIn(copy, diff, '--format', 'github')
  expect(github.split('\n').filter((line) => line.startsWith('::error'))).toEqual([])
})

test('a description in several files is compared with all that it had at a ref', async () => {
  const status = { description: 'How it is.', type: 'string', enum: ['available', 'sold'] }
  await mkdir(join(copy, 'spec/parts'))
  await writeFile(join(copy, 'spec/parts/status.json'), JSON.stringify(status))
  await editText(copy, set('components schemas Status', { $ref: './parts/status.json' }))
  await commitAll(copy, 'Tell parts apart')
  expect((await runIn(copy, diff, 'HEAD')).output).toContain('Nothing has changed')
  const fewer = { ...status, enum: ['available'] }
  await writeFile(join(copy, 'spec/parts/status.json'), JSON.stringify(fewer))
  expect((await runIn(copy, diff, 'HEAD')).output).toContain('no longer allows `sold`')
})

test('a comparison with a ref that is no release asks for the version that the last release needs', async () => {
  const one = append('paths /tools get parameters', parameter(false))
  await editText(copy, together(one, set('info version', '1.1.0')))
  await commitAll(copy, 'Filter by owner')
  await editText(copy, append('paths /tools/{toolId}/manual get parameters', parameter(false)))
  const since = async (ref: string) => (await runIn(copy, diff, ref)).output
  expect(await since('HEAD')).toMatch(
    /^Since 1\.1\.0 \(HEAD\): 1 change, .* The version, 1\.1\.0, allows for that\.\n/,
  )
  await editText(copy, set('info version', '1.0.1'))
  expect(await since('HEAD~1')).toContain(
    '2 changes, none of them breaking. The version must be 1.1.0',
  )
})

test.for([
  [['nowhere'], 'git knows no ref nowhere; give a tag, a branch or a commit'],
  [['HEAD', 'HEAD~1'], 'only one ref can be compared with; usage: npm run diff -- [REF]'],
  [['--format', 'xml'], "--format is text, markdown, json, github, not 'xml'; usage: "],
  [['--output', 'x'], "Unknown option '--output'; usage: npm run diff"],
] as const)('%j is refused in one line', async ([args, line]) => {
  const { status, output, complaint } = await runIn(copy, diff, ...args)
  expect({ status, output }).toEqual({ status: 2, output: '' })
  expect(complaint).toContain(line)
  expect(complaint.trim().split('\n')).toHaveLength(1)
})

test('the newest tag before HEAD is the last release, and spec/released.yaml if that is newer', async () => {
  const compared = async () => (await runIn(copy, diff, '--format', 'json')).output
  expect(JSON.parse(await compared())).toMatchObject({ base: { ref: 'spec/released.yaml' } })
  await git(copy, 'tag', 'v1.0.0')
  await git(copy, 'tag', 'v1.0.0-rc.1')
  await git(copy, 'tag', 'vacation')
  expect(JSON.parse(await compared())).toMatchObject({ base: { ref: 'v1.0.0', version: '1.0.0' } })
  await git(copy, 'checkout', '--quiet', '-b', 'aside')
  await editText(copy, set('info version', '1.10.0'))
  await commitAll(copy, 'Go on aside')
  await git(copy, 'tag', 'v1.9.0')
  await git(copy, 'tag', 'v1.10.0')
  expect(JSON.parse(await compared())).toMatchObject({ base: { ref: 'v1.10.0' } })
  await git(copy, 'checkout', '--quiet', 'main')
  expect(JSON.parse(await compared())).toMatchObject({ base: { ref: 'v1.0.0' } })
  const kept = join(copy, 'spec/released.yaml')
  await writeFile(kept, (await readFile(kept, 'utf8')).replace('version: 1.0.0', 'version: 1.1.0'))
  const newer = { base: { ref: 'spec/released.yaml', version: '1.1.0' } }
  expect(JSON.parse(await compared())).toMatchObject(newer)
})

// The last one: it removes the repository.
test('where there is no release, and where there is no git, a line says so', async () => {
  await forgetRelease(copy)
  expect((await runIn(copy, diff)).complaint).toBe(
    'there is no release yet; name a ref of git: npm run diff -- HEAD\n',
  )
  await rm(join(copy, '.git'), { recursive: true })
  expect((await runIn(copy, diff, 'HEAD')).complaint).toBe(
    'HEAD cannot be looked up: this folder is no repository of git\n',
  )
})
