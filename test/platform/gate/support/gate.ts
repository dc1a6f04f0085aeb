import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { passGate, snippetsOf, toLines } from '../../../../scripts/diff/gate.ts'
import { type Edit, editText, set } from '../../../helpers/spec-edit.ts'
import { createTemporaryFolder } from '../../../helpers/temporary-folder.ts'
import { readBase } from '../../pipeline/support/workspace.ts'

/** What differs from a gate on 2026-11-20, after a release of the fixture API as it is. */
export interface Circumstances extends Partial<Parameters<typeof passGate>[0]> {
  /** What was released. */
  readonly before?: Edit
  readonly storedValues?: string | undefined
}

/** Gives the description a version. */
export function bump(version: string): Edit {
  return set('info version', version)
}

/** Returns a parameter that the description does not have. */
export function parameter(required: boolean) {
  const owner = { name: 'owner', in: 'query', required, description: 'Whose tools.' }
  return { ...owner, schema: { type: 'string' }, example: 'me' }
}

/** Returns what the gate finds in an edited description. */
export async function judge(edit: Edit, circumstances: Circumstances = {}) {
  const { before, storedValues, ...options } = circumstances
  const folder = createTemporaryFolder()
  const file = (name: string) => join(folder, name)
  const base = await readBase()
  const text = before === undefined ? base : editText(base, before)
  await writeFile(file('base.yaml'), text)
  await writeFile(file('openapi.yaml'), editText(text, edit))
  if (storedValues !== undefined) {
    await writeFile(file('stored-values.yaml'), storedValues)
  }
  const found = await passGate({
    spec: file('openapi.yaml'),
    released: { ref: 'v1.0.0', file: file('base.yaml') },
    today: new Date('2026-11-20T12:00:00Z'),
    ...options,
  })
  return { ...found, errors: toLines(found.errors), snippets: snippetsOf(found.errors) }
}
