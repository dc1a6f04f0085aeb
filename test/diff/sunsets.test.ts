import { expect, test } from 'vitest'
import { together } from '../edits/support/changes.ts'
import { set } from '../pipeline/support/spec-edit.ts'
import { judge } from './support/gate.ts'
import { parameter } from './support/lists.ts'

test.for([
  ['2030-09-05T23:59:59Z', undefined],
  ['2030-09-06T00:00:00Z', 'in 90 days'],
  ['2030-09-06T00:30:00+05:00', undefined],
  ['2030-12-03T23:59:59Z', 'in 2 days'],
  ['2030-12-04T00:00:00Z', 'in 1 day;'],
  ['2030-12-04T23:59:59Z', 'in 1 day;'],
] as const)('at %s the reminder of a sunset is: %s', async ([moment, distance]) => {
  const { faults, notes } = await judge(() => undefined, new Date(moment))
  expect(faults).toEqual([])
  const line = `GET /pets/{petId} goes on 2030-12-05, ${distance}`
  expect(notes).toEqual(distance === undefined ? [] : [expect.stringContaining(line)])
})

test('from its sunset on an operation that is still there fails the gate', async () => {
  const { faults } = await judge(() => undefined, new Date('2030-12-05T00:00:00Z'))
  expect(faults).toEqual([
    'GET /pets/{petId} was to go on 2030-12-05 and is still there; remove it from the spec, or give its consumers more time with a later x-sunset',
  ])
})

test('a parameter and a member that have a sunset are named as such', async () => {
  const edit = together(
    set('paths /pets get parameters 3', { ...parameter(false), 'x-sunset': '2026-12-01' }),
    set('components schemas PetFields properties status x-sunset', '2026-11-01'),
    set('info version', '3.0.0'),
  )
  const { faults, notes } = await judge(edit)
  expect(notes).toEqual([
    'the query parameter `owner` (GET /pets) goes on 2026-12-01, in 11 days; tell those who still use it',
  ])
  expect(faults).toContainEqual(
    expect.stringMatching(
      /^`status` of `PetFields` \(components\.schemas\.PetFields\) was to go on /,
    ),
  )
})
