import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { parseDocument } from 'yaml'
import type { Edit } from '../../pipeline/support/spec-edit.ts'

/** The project's own folder. */
export const project = resolve(import.meta.dirname, '../../../..')

// The tests stay behind: what an edit does to them is not what it does to the service. Two type tests
// come along, because they notice parameters that no handler reads, and statuses and headers that
// nothing sends.
const parts = [
  ...['package.json', 'tsconfig.json', 'redocly.yaml', 'biome.json', '.gitignore'],
  ...['spec', 'scripts', 'generated', 'server', 'client'],
  ...['equal.ts', 'known-inputs.test-d.ts', 'known-responses.test-d.ts'].map(
    (name) => `test/types/${name}`,
  ),
]

/** A copy of the project that one test may break; gone when the test is finished. */
export async function createProjectCopy(): Promise<string> {
  const copy = await createSharedCopy()
  onTestFinished(() => removeCopy(copy))
  return copy
}

/** A copy of the project that several tests share; whoever makes it removes it. */
export async function createSharedCopy(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'animal-store-copy-'))
  await Promise.all(parts.map((part) => addPart(copy, part)))
  await symlink(join(project, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** Copies one more file or folder of the project. */
export function addPart(copy: string, part: string): Promise<void> {
  return cp(join(project, part), join(copy, part), { recursive: true })
}

export function removeCopy(copy: string): Promise<void> {
  return rm(copy, { recursive: true, force: true })
}

/** Edits the description of a copy, and gives its text as it is now. */
export async function editSpec(copy: string, edit: Edit): Promise<string> {
  const file = join(copy, 'spec/openapi.yaml')
  const description = parseDocument(await readFile(file, 'utf8'))
  const before = description.toString({ lineWidth: 0 })
  edit(description)
  const after = description.toString({ lineWidth: 0 })
  expect(after, 'the edit changes nothing').not.toBe(before)
  await writeFile(file, after)
  return after
}

/** Replaces a text that a file of a copy has exactly once; gives the text of the file before. */
export async function replaceIn(
  copy: string,
  file: string,
  find: string,
  replacement: string,
): Promise<string> {
  const path = join(copy, file)
  const text = await readFile(path, 'utf8')
  expect(text.split(find), `${file} has once: ${find}`).toHaveLength(2)
  await writeFile(
    path,
    text.replace(find, () => replacement),
  )
  return text
}
