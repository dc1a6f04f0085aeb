import { existsSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { projectPath } from '../pipeline/project.ts'

const templatesFolder = 'scripts/init/templates'
const ending = '.template'

/** The files of an API that the platform imports, reads or links to. */
const needed = [
  'server/api/**',
  'client/index.ts',
  'client/package.json',
  'deploy/values/compose.env',
  'redocly.yaml',
  'SECURITY.md',
]

/**
 * Looks for files that every API has and this project has not, such as one that came with an upgrade.
 * Returns a line for each, with the template to begin with.
 */
export async function checkApiFiles(): Promise<readonly string[]> {
  const patterns = needed.map((pattern) => `${pattern}${ending}`)
  const missing: string[] = []
  for await (const template of glob(patterns, { cwd: projectPath(templatesFolder) })) {
    const path = template.slice(0, -ending.length)
    if (!existsSync(projectPath(path))) {
      missing.push(`${path} is missing; begin with ${templatesFolder}/${template}`)
    }
  }
  return missing.sort()
}
