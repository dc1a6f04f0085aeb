import { expect, test } from 'vitest'
import { compareDescriptions } from '../../../scripts/diff/compare.ts'
import { passGate } from '../../../scripts/diff/gate.ts'
import { once } from '../../helpers/once.ts'
import { type Edit, together } from '../../helpers/spec-edit.ts'
import { released, unchanged } from '../spec-edits/released-edits.ts'
import { prepare, today } from './support/gate.ts'

const rows = released.flatMap(({ bump, needed, edit, reports }) => {
  const compare = once(() => compareEdited(edit))
  return reports.map((report) => ({ ...report, bump, needed, compare }))
})

test.for(rows)('$place: $what: $bump', async ({ bump, needed, place, what, compare }) => {
  const { diff, errors, passed } = await compare()
  expect(diff.changes).toContainEqual(
    expect.objectContaining({
      bump,
      breaking: bump === 'major',
      place,
      file: expect.stringMatching(/(?:base|openapi)\.yaml$/),
      line: expect.any(Number),
      what: expect.stringContaining(what),
      consequence: expect.stringMatching(/^[A-Z].*\.$/),
    }),
  )
  expect(diff).toMatchObject({ bump, needed })
  expect(errors[0]).toContain(`must be at least ${needed}, because the changes`)
  expect(passed.filter((error) => error.includes('must be at least'))).toEqual([])
})

test(`no change: ${Object.keys(unchanged).join(', ')}`, async () => {
  const { diff } = await compareEdited(together(...Object.values(unchanged)))
  expect(diff).toMatchObject({ bump: 'none', needed: '1.0.0', changes: [] })
})

/** Returns the comparison, and what the gate finds for the version as it is and as it must be. */
async function compareEdited(edit: Edit) {
  const { base, spec } = await prepare(edit)
  const diff = await compareDescriptions(base, spec)
  const released = { ref: 'v1.0.0', file: base }
  const { errors } = await passGate({ spec, released, today })
  const { errors: passed } = await passGate({ spec, released, today, version: diff.needed })
  return { diff, errors, passed }
}
