import { readFile, symlink, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { createTemporaryFolder } from '../../support/temporary-folder.ts'
import { installClient } from './package.ts'

const sources = join(import.meta.dirname, '../consumer')

/** A project of one test that has the package, and some files by their names. */
export async function createConsumer(
  files: Readonly<Record<string, string>>,
  installed = installClient(),
): Promise<string> {
  const folder = createTemporaryFolder()
  await symlink(join(await installed, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

/** A file of `test/package/consumer`. */
export function readSource(name: string): Promise<string> {
  return readFile(join(sources, name), 'utf8')
}

/** The same without its types, for whoever does not read them. */
export async function readModule(name: string): Promise<string> {
  return stripTypeScriptTypes(await readSource(name))
}
