import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectPath } from '../pipeline/project.ts'

/** The files of an API's half that need no designer; each is the template of the file of its name. */
const templatesFolder = projectPath('scripts/init/templates')
const ending = '.template'

/** Returns the files that the templates make, by path in the project, with a value in place of each `{{field}}`. */
export async function fillTemplates(
  fields: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>()
  for await (const name of glob(`**/*${ending}`, { cwd: templatesFolder })) {
    const template = await readFile(join(templatesFolder, name), 'utf8')
    const path = name.slice(0, -ending.length).replaceAll('\\', '/')
    files.set(path, fillTemplate(template, fields))
  }
  return files
}

function fillTemplate(template: string, fields: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, field: string) => {
    const value = fields[field]
    if (value === undefined) {
      throw new Error(`There is no value for {{${field}}} of a template.`)
    }
    return value
  })
}
