import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { compareDescriptions } from '../../../scripts/diff/compare.ts'
import { checkVersion } from '../../../scripts/gate/version-step.ts'
import { readBase } from '../pipeline/support/base.ts'
import type { Edit } from '../pipeline/support/spec-edit.ts'
import { createFolder } from '../pipeline/support/workspace.ts'
import { breakingCalls } from './support/breaking-calls.ts'
import { breakingSchemas } from './support/breaking-schemas.ts'
import { minorEdits } from './support/minor-edits.ts'
import type { Row } from './support/row.ts'
import { emptyEdits, patchEdits } from './support/unnoticed-edits.ts'

const spec = 'openapi.yaml'

describeRows('2.0.0', 'major', breakingSchemas)
describeRows('2.0.0', 'major', breakingCalls)
describeRows('1.1.0', 'minor', minorEdits)
describeRows('1.0.1', 'patch', patchEdits)

function describeRows(needed: string, step: string, edits: readonly Row[]): void {
  const rows = edits.map(([done, edit, place, what]) => ({ done, edit, place, what }))
  test.concurrent.for(rows)(`$done: ${step}`, async ({ edit, place, what }, { expect }) => {
    const diff = await compareEdited(edit)
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
    expect(checkVersion(diff, spec)[0]).toContain(`must be at least ${needed}, because the changes`)
    expect(checkVersion({ ...diff, current: { version: needed } }, spec)).toEqual([])
  })
}

test.for(emptyEdits.map(([done, edit]) => ({ done, edit })))('$done: nothing', async ({ edit }) => {
  expect(await compareEdited(edit)).toMatchObject({ step: 'none', needed: '1.0.0', changes: [] })
})

async function compareEdited(edit: Edit) {
  const description = parseDocument(await readBase())
  const folder = await createFolder()
  const [before, after] = [join(folder, 'before.yaml'), join(folder, 'after.yaml')]
  await writeFile(before, description.toString())
  edit(description)
  await writeFile(after, description.toString())
  return compareDescriptions(before, after)
}
