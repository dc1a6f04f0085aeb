import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { passGate } from '../../../scripts/gate/gate.ts'
import { append, drop, remove, rename, set, together } from '../pipeline/support/spec-edit.ts'
import { createFolder } from '../pipeline/support/workspace.ts'
import { bump, judge, prepare, today } from './support/gate.ts'

const fetch = 'paths /tools/{toolId}/manual get'

test('a contract that is the one that was released passes without a word', async () => {
  expect(await judge(() => undefined)).toEqual({ faults: [], notes: [] })
})

test('before the first release there is nothing to compare with, and a line says so', async () => {
  const { spec } = await prepare(() => undefined)
  expect(await passGate({ spec, released: undefined, today })).toEqual({
    faults: [],
    notes: [expect.stringMatching(/^there is no release yet .*: npm run release$/)],
  })
})

test('a version that is too low is named with the one to write and the changes that need it', async () => {
  const { faults } = await judge(drop('components schemas Status enum', 'sold'))
  expect(faults).toEqual([
    expect.stringMatching(
      /openapi\.yaml: info\.version is 1\.0\.0 and must be at least 2\.0\.0, because the changes since v1\.0\.0 \(1\.0\.0\) need it; write version: 2\.0\.0, then run: npm run generate$/,
    ),
    '  major: components.schemas.Status: `Status` no longer allows `sold`.',
    expect.stringContaining('What was stored before may still be otherwise'),
  ])
})

test.for([
  ['1.0.0', false],
  ['1.0.9', false],
  ['1.1.0', true],
  ['1.4.2', true],
  ['2.0.0', true],
] as const)('with %s a new optional parameter passes: %s', async ([version, passes]) => {
  const sample = { name: 'q', in: 'query', schema: { type: 'string' } }
  const edit = together(append('paths /tools get parameters', sample), bump(version))
  expect((await judge(edit)).faults.length === 0).toBe(passes)
})

test('a version below the released one is refused even without a change', async () => {
  const { faults } = await judge(bump('0.9.0'))
  expect(faults).toEqual([expect.stringContaining('must be at least 1.0.0, because v1.0.0 has it')])
})

test('a version that is not three numbers is told as such', async () => {
  await expect(judge(bump('1.1'))).rejects.toThrow('info.version is "1.1"; write three numbers')
})

test('a deprecated operation may not be removed before its sunset, whatever the version', async () => {
  const edit = together(remove(fetch), bump('2.0.0'))
  const { faults } = await judge(edit)
  expect(faults).toEqual([
    expect.stringMatching(
      /^GET \/tools\/\{toolId\}\/manual: .* It must not be removed before 2030-12-05; put it back/,
    ),
  ])
})

test.for([
  ['security', [], 'security: Credentials are now asked for: `apiKey`.'],
  ['security', [{ apiKey: [] }, {}], 'Calls without credentials are no longer let in.'],
  ['paths /tools get security', [], 'GET /tools: Credentials are now asked for: `apiKey`.'],
] as const)('whoever %s let in with %j is not shut out without a word', async (row) => {
  const [path, before, what] = row
  const edit = path === 'security' ? set(path, [{ apiKey: [] }]) : remove(path)
  const { faults } = await judge(edit, today, set(path, before))
  expect(faults[0]).toContain('must be at least 2.0.0')
  expect(faults[1]).toContain(what)
})

test('on the day of its sunset an operation may be removed, as a major version', async () => {
  const onTheDay = new Date('2030-12-05T00:00:00Z')
  const edit = remove(fetch)
  expect((await judge(edit, onTheDay)).faults[0]).toContain('must be at least 2.0.0')
  expect(await judge(together(edit, bump('2.0.0')), onTheDay)).toEqual({ faults: [], notes: [] })
})

test.for([
  ['removed', remove('paths /tools post')],
  ['under another path', rename('paths /tools', '/hammers')],
] as const)('an operation that was never deprecated may not be %s', async ([, edit]) => {
  const { faults } = await judge(together(edit, bump('2.0.0')))
  expect(faults).toContainEqual(
    expect.stringMatching(
      /^POST \/tools, `createTool`, was removed\. It was never announced; put it/,
    ),
  )
})

test('a deprecated member or parameter may not be removed before its sunset either', async () => {
  const member = 'components schemas ToolFields properties status'
  const sunset = { deprecated: true, 'x-sunset': '2027-06-01' }
  const status = { type: 'string', enum: ['available', 'pending', 'sold'], ...sunset }
  const before = together(
    set(member, status),
    set('components parameters Cursor x-sunset', '2027-06-01'),
  )
  const after = together(
    remove(member),
    remove('paths /tools get parameters 1'),
    remove('components parameters Cursor'),
    bump('2.0.0'),
  )
  const { faults } = await judge(after, today, before)
  expect(faults).toContainEqual(
    expect.stringMatching(/`status` .* must not be removed before 2027-06-01/),
  )
  expect(faults).toContainEqual(
    expect.stringMatching(/`cursor` .* must not be removed before 2027-06-01/),
  )
  expect((await judge(after, new Date('2027-06-01T00:00:00Z'), before)).faults).toEqual([])
})

test('a narrowed field asks what became of stored values until somebody has written it down', async () => {
  const edit = together(drop('components schemas Status enum', 'sold'), bump('2.0.0'))
  const storedValues = join(await createFolder(), 'stored-values.yaml')
  const { faults } = await judge(edit, today, undefined, storedValues)
  expect(faults).toEqual([
    expect.stringMatching(/no longer allows `sold`\. .* under 2\.0\.0: and below it components/),
  ])
  const answer = 'Migration 3 made every sold tool pending.'
  await writeFile(storedValues, `1.0.0:\n  components.schemas.Status: ${answer}\n`)
  expect((await judge(edit, today, undefined, storedValues)).faults).toHaveLength(1)
  await writeFile(storedValues, `2.0.0:\n  components.schemas.Status: ${answer}\n`)
  expect((await judge(edit, today, undefined, storedValues)).faults).toEqual([])
})

test('a page that may be as long as the largest limit asks nothing of stored values', async () => {
  const pageOf = (maxItems: number) =>
    together(set('components schemas Tools maxItems', maxItems), bump('1.1.0'))
  const before = remove('components schemas Tools maxItems')
  expect(await judge(pageOf(50), today, before)).toEqual({ faults: [], notes: [] })
  expect((await judge(pageOf(49), today, before)).faults).toEqual([
    expect.stringMatching(/^`maxItems` of `Tools`/),
  ])
})
