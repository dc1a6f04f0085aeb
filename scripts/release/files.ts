import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { releasedFile } from '../diff/released.ts'
import { readDescription } from '../diff/whole-description.ts'
import { compile } from '../pipeline/artifacts.ts'
import { projectOutput, projectPath, projectSpec } from '../pipeline/project.ts'
import { addEntry, findEntry } from './changelog.ts'
import type { StagedSpec } from './staged-spec.ts'
import { stampVersion } from './stamp.ts'

/** The new text of files, by path, in the order in which they are to be written. */
export type Files = ReadonlyMap<string, string>

/** Where the version stands in the manifests. */
const manifests = [
  ['package.json', ['version']],
  ['client/package.json', ['version']],
  ['package-lock.json', ['version']],
  ['package-lock.json', ['packages', '', 'version']],
] as const

const changelog = projectPath('CHANGELOG.md')

/** What the changelog says of a version, if it does. */
export async function readEntry(version: string): Promise<string | undefined> {
  return findEntry((await readIfThere(changelog)) ?? '', version)
}

/** Every file that a release changes. */
export async function printFiles(
  version: string,
  entry: string,
  staged: StagedSpec,
): Promise<Files> {
  const { artifacts } = await compile(staged.file, 'strict', 'spec/openapi.yaml')
  const all = new Map([[changelog, addEntry(await readIfThere(changelog), version, entry)]])
  for (const [name, keys] of manifests) {
    const file = projectPath(name)
    if (!existsSync(file)) continue
    all.set(file, stampVersion(all.get(file) ?? (await readFile(file, 'utf8')), keys, version))
  }
  for (const [name, text] of artifacts) all.set(join(projectOutput, name), text)
  all.set(projectSpec, staged.text)
  // Last: as long as it is the old one, the release is one that can be made again.
  all.set(releasedFile, await printReleased(staged.file))
  const texts = await Promise.all([...all.keys()].map((file) => readIfThere(file)))
  return new Map([...all].filter(([, text], index) => text !== texts[index]))
}

async function printReleased(file: string): Promise<string> {
  const notice = `# The contract as it was last released, in one piece. Written by \`npm run release\`: do not edit.\n`
  const options = { lineWidth: 100, aliasDuplicateObjects: false }
  return `${notice}${stringify(await readDescription(file), options)}`
}

async function readIfThere(file: string): Promise<string | undefined> {
  return existsSync(file) ? readFile(file, 'utf8') : undefined
}
