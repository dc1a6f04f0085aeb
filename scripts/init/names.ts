import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { projectPath } from '../pipeline/project.ts'

/** Folders and files that have no name of the API, or that are none of the project. */
const skipped = ['.git', 'node_modules', 'data', 'generated', 'LICENSE', 'openapi.yaml']

/** The names of an API that follow from one in kebab-case, and its title. */
export function spellings(name: string, title: string): readonly string[] {
  const pascal = name.replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())
  return [name, name.replaceAll('-', '_'), pascal, title, title.toLowerCase()]
}

/** Gives the project another name in every file that has its name, and in the names of files. */
export async function renameProject(
  [oldName, oldTitle]: readonly [name: string, title: string],
  [name, title]: readonly [name: string, title: string],
): Promise<void> {
  const to = spellings(name, title)
  const pairs = spellings(oldName, oldTitle).map((old, index) => [old, to[index] ?? name] as const)
  for (const file of await filesBelow(projectPath())) {
    const text = await readFile(file, 'utf8')
    // A title may have quotes, which JSON escapes.
    const write = (spelling: string) =>
      file.endsWith('.json') ? JSON.stringify(spelling).slice(1, -1) : spelling
    const inText = (changed: string, [old, spelling]: readonly [string, string]) =>
      changed.replaceAll(old, () => write(spelling))
    const changed = pairs.reduce(inText, text)
    if (changed !== text) await writeFile(file, changed)
    const fileName = basename(file)
    if (fileName.includes(oldName)) {
      await rename(file, join(dirname(file), fileName.replaceAll(oldName, name)))
    }
  }
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const files = entries
    .filter((entry) => !skipped.includes(entry.name))
    .map((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? filesBelow(path) : [path]
    })
  return (await Promise.all(files)).flat()
}
