import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { passGate } from '../../../scripts/diff/gate.ts'
import { append, atValue, locate, set, together } from '../pipeline/support/spec-edit.ts'
import { parameter } from '../spec-edits/released-edits.ts'
import { judge, prepare } from './support/gate.ts'

test.for([
  ['2030-09-05T23:59:59Z', undefined],
  ['2030-09-06T00:00:00Z', 'in 90 days'],
  ['2030-09-06T00:30:00+05:00', undefined],
  ['2030-12-04T00:00:00Z', 'in 1 day;'],
] as const)('at %s the reminder of a sunset is: %s', async ([moment, distance]) => {
  const { errors, notes } = await judge(() => undefined, new Date(moment))
  expect(errors).toEqual([])
  const line = `GET /tools/{toolId}/manual will be removed on 2030-12-05, ${distance}`
  expect(notes).toEqual(distance === undefined ? [] : [expect.stringContaining(line)])
})

test('from its sunset on an operation that is still there fails the gate at its line', async () => {
  const { spec } = await prepare(() => undefined)
  const path = 'paths /tools/{toolId}/manual get x-sunset'
  const { line, col } = locate(await readFile(spec, 'utf8'), atValue(path))
  const onTheDay = new Date('2030-12-05T00:00:00Z')
  const { errors } = await passGate({ spec, released: undefined, today: onTheDay })
  expect(errors).toEqual([
    expect.stringMatching(
      new RegExp(
        `^\\S+openapi\\.yaml:${line}:${col} GET /tools/\\{toolId\\}/manual was to be removed on 2030-12-05 and is still there; remove it from the spec, or give its consumers more time with a later x-sunset$`,
      ),
    ),
  ])
})

test('a parameter and a member that have a sunset are named as such', async () => {
  const edit = together(
    append('paths /tools get parameters', { ...parameter(false), 'x-sunset': '2026-12-01' }),
    set('components schemas ToolFields properties status x-sunset', '2026-11-01'),
    set('info version', '3.0.0'),
  )
  const { errors, notes } = await judge(edit)
  expect(notes).toEqual([
    'the query parameter `owner` (GET /tools) will be removed on 2026-12-01, in 11 days; notify its consumers',
  ])
  expect(errors).toContainEqual(
    expect.stringMatching(
      /openapi\.yaml:\d+:\d+ `status` of `ToolFields` \(components\.schemas\.ToolFields\) was to be removed on /,
    ),
  )
})
