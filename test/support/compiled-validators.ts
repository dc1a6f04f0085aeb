import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { JsonObject } from '../../scripts/pipeline/description.ts'
import { projectPath } from '../../scripts/pipeline/project.ts'
import { printValidators } from '../../scripts/pipeline/validators/validators.ts'
import type { Validators } from '../../server/contract/plain/validators.ts'

// Within the project, because the module imports one of its packages.
const folder = projectPath('node_modules/.cache/validators')
let count = 0

/** The text of the checks that are compiled from a description. */
export function printChecks(root: JsonObject): string {
  return printValidators(root, 'no digest')
}

/** Loads the text of checks as a module. */
export async function loadChecks(text: string): Promise<Validators> {
  const file = join(folder, `${process.pid}-${++count}.mjs`)
  await mkdir(folder, { recursive: true })
  await writeFile(file, text)
  try {
    const validators: Validators = await import(/* @vite-ignore */ pathToFileURL(file).href)
    return validators
  } finally {
    await rm(file)
  }
}
