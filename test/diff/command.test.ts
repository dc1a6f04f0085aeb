import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { printReport } from '../../scripts/diff/report.ts'
import { together } from '../edits/support/changes.ts'
import { runIn } from '../edits/support/compiling.ts'
import { set } from '../pipeline/support/spec-edit.ts'
import { append, drop, parameter } from './support/lists.ts'
import { commitAll, createRepository, editText } from './support/repository.ts'

const diff = 'scripts/diff.ts'
const edit = together(
  drop('components schemas PetStatus enum', 'sold'),
  append('paths /pets get parameters', parameter(false)),
  set('paths /pets get summary', 'List <b>animals</b> | @everybody'),
)
const summary = 'The version must be 2.0.0 at least; it is 1.0.0.'

test('a change is shown to people, to pages, to programs and to GitHub, breaking first', async () => {
  const copy = await createRepository()
  await editText(copy, edit)
  const show = async (...args: string[]) => {
    const { status, output } = await runIn(copy, diff, ...args)
    expect(status).toBe(0)
    return output
  }
  expect(
    await show(),
  ).toBe(`Since 1.0.0 (spec/released.yaml): 3 changes, 1 of them breaking. ${summary}

major  components.schemas.PetStatus
       \`PetStatus\` no longer allows \`sold\`.
       Requests that were accepted until now are refused with 400.

minor  GET /pets
       The query parameter \`owner\` is new and optional.
       Requests may send it; those that are sent today stay valid.

patch  GET /pets
       The summary of GET /pets was reworded.
       Only what people read has changed; programs go on as before.
`)
  const text = await show('HEAD', '--format', 'json')
  const markdown = printReport(JSON.parse(text), 'markdown')
  expect(markdown).toMatch(/^### The contract\n\nSince 1\.0\.0 \(HEAD\): 3 changes, /)
  expect(markdown).toContain(
    '| **major** | `components.schemas.PetStatus` | `PetStatus` no longer allows `sold`. | Requests',
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
    /^::warning file=spec\/openapi\.yaml,title=major%3A components.*::`PetSt/,
  )
  expect(lines[1]).toMatch(
    /^::notice file=spec\/openapi\.yaml,title=minor%3A GET \/pets::The query/,
  )
})

test('a value of the description can be neither markup nor a line of its own in a report', async () => {
  const copy = await createRepository()
  await editText(copy, set('components schemas ErrorCode enum 0', '<img>|`x`\n::error::@me'))
  const markdown = (await runIn(copy, diff, '--format', 'markdown')).output
  expect(markdown).toContain("`&lt;img>\\|'x' ::error::@\u200bme`")
  const { output: github } = await runIn(copy, diff, '--format', 'github')
  expect(github.split('\n').filter((line) => line.startsWith('::error'))).toEqual([])
})

test('a description in several files is compared with all that it had at a ref', async () => {
  const copy = await createRepository()
  const status = { description: 'How it is.', type: 'string', enum: ['available', 'sold'] }
  await mkdir(join(copy, 'spec/parts'))
  await writeFile(join(copy, 'spec/parts/status.json'), JSON.stringify(status))
  await editText(copy, set('components schemas PetStatus', { $ref: './parts/status.json' }))
  await commitAll(copy, 'Tell parts apart')
  expect((await runIn(copy, diff, 'HEAD')).output).toContain('Nothing has changed')
  const fewer = { ...status, enum: ['available'] }
  await writeFile(join(copy, 'spec/parts/status.json'), JSON.stringify(fewer))
  expect((await runIn(copy, diff, 'HEAD')).output).toContain('no longer allows `sold`')
})

test('since a ref that is no release the version is still the one that the last release asks for', async () => {
  const copy = await createRepository()
  const one = append('paths /pets get parameters', parameter(false))
  await editText(copy, together(one, set('info version', '1.1.0')))
  await commitAll(copy, 'Filter by owner')
  await editText(copy, append('paths /pets/{petId} get parameters', parameter(false)))
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
  const copy = await createRepository()
  const { status, output, complaint } = await runIn(copy, diff, ...args)
  expect({ status, output }).toEqual({ status: 2, output: '' })
  expect(complaint).toContain(line)
  expect(complaint.trim().split('\n')).toHaveLength(1)
})
