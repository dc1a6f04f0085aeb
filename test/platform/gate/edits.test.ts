import { expect, test } from 'vitest'
import { compareDescriptions } from '../../../scripts/diff/compare.ts'
import { checkVersion } from '../../../scripts/gate/version-step.ts'
import { once } from '../../helpers/once.ts'
import { type Edit, together } from '../pipeline/support/spec-edit.ts'
import { released, unchanged } from '../spec-edits/released-edits.ts'
import { prepare } from './support/gate.ts'

const rows = released.flatMap(({ step, needed, edit, reports }) => {
  const compare = once(() => compareEdited(edit))
  return reports.map((report) => ({ ...report, step, needed, compare }))
})

test.for(rows)('$place: $what: $step', async ({ step, needed, place, what, compare }) => {
  const diff = await compare()
  expect(diff.changes).toContainEqual(
    expect.objectContaining({
      step,
      breaking: step === 'major',
      place,
      what: expect.stringContaining(what),
      consequence: expect.stringMatching(/^[A-Z].*\.$/),
    }),
  )
  expect(diff).toMatchObject({ step, needed })
  const spec = 'openapi.yaml'
  expect(checkVersion(diff, spec)[0]).toContain(`must be at least ${needed}, because the changes`)
  expect(checkVersion({ ...diff, current: { version: needed } }, spec)).toEqual([])
})

const compareUnchanged = once(() => compareEdited(together(...Object.values(unchanged))))

test.for(Object.keys(unchanged))('%s: no change', async () => {
  expect(await compareUnchanged()).toMatchObject({ step: 'none', needed: '1.0.0', changes: [] })
})

async function compareEdited(edit: Edit) {
  const { base, spec } = await prepare(edit)
  return compareDescriptions(base, spec)
}
