import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { passGate, toLines } from '../../../../scripts/diff/gate.ts'
import { type Edit, editText, set } from '../../../helpers/spec-edit.ts'
import { createTemporaryFolder } from '../../../helpers/temporary-folder.ts'
import { readBase } from '../../pipeline/support/workspace.ts'

/** The day of these tests, unless one says another. */
export const today = new Date('2026-11-20T12:00:00Z')

/** Gives the description a version. */
export function bump(version: string): Edit {
  return set('info version', version)
}

/** Returns a parameter that the description does not have. */
export function parameter(required: boolean) {
  const owner = { name: 'owner', in: 'query', required, description: 'Whose tools.' }
  return { ...owner, schema: { type: 'string' }, example: 'me' }
}

/** Returns what the gate finds in an edited description, with that from before the edit as released. */
export async function judge(edit: Edit, day = today, before: Edit = () => undefined, notes = '') {
  const { spec, base } = await prepare(edit, before)
  await writeFile(join(dirname(spec), 'stored-values.yaml'), notes)
  const found = await passGate({ spec, released: { ref: 'v1.0.0', file: base }, today: day })
  return { ...found, errors: toLines(found.errors) }
}

/** Writes the description from before an edit and from after it. */
export async function prepare(edit: Edit, before: Edit = () => undefined) {
  const folder = createTemporaryFolder()
  const text = editText(await readBase(), before)
  const base = join(folder, 'base.yaml')
  const spec = join(folder, 'openapi.yaml')
  await writeFile(base, text)
  await writeFile(spec, editText(text, edit))
  return { base, spec }
}
