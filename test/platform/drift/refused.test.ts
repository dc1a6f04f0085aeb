import { expect, test } from 'vitest'
import { locate } from '../pipeline/support/spec-edit.ts'
import { generateIn } from './support/compiling.ts'
import { refused } from './support/edits.ts'
import { createProjectCopy, editSpec } from './support/project-copy.ts'

const rows = refused.map(([kind, what, edit, rule, at]) => ({ kind, what, edit, rule, at }))

test.for(rows)('$kind ($what): generate fails at the line and names $rule', async (row) => {
  const copy = await createProjectCopy()
  const { line } = locate(await editSpec(copy, row.edit), row.at)
  expect(await generateIn(copy)).toContainEqual(
    expect.stringMatching(new RegExp(`^spec/openapi\\.yaml:${line}:\\d+ ${row.rule} \\S`)),
  )
})
