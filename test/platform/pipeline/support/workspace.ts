import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'

/** The project's own folder. */
export const project = resolve(import.meta.dirname, '../../../..')

/** A temporary folder of one test, gone when the test is finished. */
export async function createFolder(): Promise<string> {
  const folder = await createSharedFolder()
  onTestFinished(() => removeFolder(folder))
  return folder
}

/** A temporary folder that several tests share; whoever makes it removes it. */
export function createSharedFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'pipeline-'))
}

export function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true })
}

/** The fixture API. */
export const fixtureSpec = join(project, 'test/fixture-api/openapi.yaml')

/** Writes the fixture API, changed in one place, into a temporary folder. */
export async function writeChangedSpec(find: string, replacement: string): Promise<string> {
  const text = await readFile(fixtureSpec, 'utf8')
  if (!text.includes(find)) throw new Error(`the description no longer has: ${find}`)
  return writeSpec(text.replace(find, () => replacement))
}

/** Writes a description into a temporary folder. */
export async function writeSpec(text: string): Promise<string> {
  const spec = join(await createFolder(), 'openapi.yaml')
  await writeFile(spec, text)
  return spec
}

/** Every file of a folder with its text, to see whether anything in it changed. */
export async function readFolder(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).sort()
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']))
}
