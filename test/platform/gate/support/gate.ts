import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseDocument } from 'yaml'
import { passGate } from '../../../../scripts/diff/gate.ts'
import { type Edit, set } from '../../../helpers/spec-edit.ts'
import { createTemporaryFolder } from '../../../helpers/temporary-folder.ts'
import { readBase } from '../../pipeline/support/workspace.ts'

/** The day of these tests, unless one says another. */
export const today = new Date('2026-11-20T12:00:00Z')

/** Gives the description a version. */
export function bump(version: string): Edit {
  return set('info version', version)
}

/** What the gate finds in an edited description, with that from before the edit as released. */
export async function judge(
  edit: Edit,
  day = today,
  before: Edit = () => undefined,
  stored?: string,
) {
  const { spec, base } = await prepare(edit, before)
  const released = { ref: 'v1.0.0', version: '1.0.0', file: base }
  return passGate({ spec, released, today: day, ...(stored && { storedValues: stored }) })
}

/** Writes the description from before an edit and from after it. */
export async function prepare(edit: Edit, before: Edit = () => undefined) {
  const folder = createTemporaryFolder()
  const description = parseDocument(await readBase())
  before(description)
  const [base, spec] = [join(folder, 'base.yaml'), join(folder, 'openapi.yaml')]
  await writeFile(base, description.toString())
  edit(description)
  await writeFile(spec, description.toString())
  return { base, spec }
}
