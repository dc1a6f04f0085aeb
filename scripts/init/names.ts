import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { projectPath } from '../pipeline/project.ts'

/** Folders and files without the name of the API, or outside of the project. */
const skipped = ['.git', 'node_modules', 'data', 'generated', 'LICENSE', 'openapi.yaml']

/** Returns a name in kebab-case in its other spellings, and the title in both cases. */
export function spellings(name: string, title: string): readonly string[] {
  const pascal = name.replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())
  return [name, name.replaceAll('-', '_'), pascal, title, title.toLowerCase()]
}

/** Replaces the name and the title of the project in all files and in the names of files. */
export async function renameProject(
  [oldName, oldTitle]: readonly [name: string, title: string],
  [name, title]: readonly [name: string, title: string],
): Promise<void> {
  const wanted = spellings(name, title)
  for (const file of await filesBelow(projectPath())) {
    const text = await readFile(file, 'utf8')
    let changed = text
    for (const [index, old] of spellings(oldName, oldTitle).entries()) {
      const spelling = wanted[index] ?? name
      // A title may have quotes, which JSON escapes.
      const escaped = file.endsWith('.json') ? JSON.stringify(spelling).slice(1, -1) : spelling
      changed = changed.replaceAll(old, () => escaped)
    }
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
