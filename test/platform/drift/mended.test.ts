import { expect, test } from 'vitest'
import { mended } from './support/code-edits.ts'
import { generateIn, typeFaultsIn } from './support/compiling.ts'
import { createProjectCopy, editSpec } from './support/project-copy.ts'

const rows = mended.map(([kind, what, edit, file, line]) => ({ kind, what, edit, file, line }))

test.for(rows)('$kind ($what): the compiler points at the line to mend in $file', async (row) => {
  const copy = await createProjectCopy()
  await editSpec(copy, row.edit)
  expect(await generateIn(copy)).toEqual([])
  const faults = await typeFaultsIn(copy)
  expect(faults).toContainEqual(
    expect.objectContaining({ file: row.file, code: expect.stringMatching(row.line) }),
  )
  // Nothing that was generated is to be mended by hand.
  expect(faults.filter(({ file }) => !/^(?:server|client|test)\//.test(file))).toEqual([])
})
