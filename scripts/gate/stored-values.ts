import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import type { ContractDiff } from '../diff/contract-diff.ts'
import { type JsonObject, toObject } from '../pipeline/description.ts'
import { DescriptionError } from '../pipeline/failure.ts'
import { projectPath, shortPath } from '../pipeline/project.ts'

/** Where it is written, by version and place, what became of values that the store may have kept. */
export const storedValuesFile = projectPath('spec/stored-values.yaml')

/**
 * Asks what became of stored values wherever answers now promise more than before: no check can see
 * what the store holds, so somebody has to look, and to write down what they did.
 */
export async function checkStoredValues(
  diff: ContractDiff,
  version: string,
  file = storedValuesFile,
): Promise<string[]> {
  const places = diff.changes.filter(({ narrowsAnswers }) => narrowsAnswers === true)
  if (places.length === 0) return []
  const known = toObject((await readWritten(file))[version])
  return places
    .filter(({ place }) => typeof known[place] !== 'string' || known[place] === '')
    .map(
      ({ place, what }) =>
        `${what} What was stored before may still be otherwise, and would become a 500. Migrate it, then write in ${shortPath(file)} what was done, under ${version}: and below it ${place}: …`,
    )
}

async function readWritten(file: string): Promise<JsonObject> {
  if (!existsSync(file)) return {}
  try {
    return toObject(parse(await readFile(file, 'utf8')))
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error)
    throw new DescriptionError([`${shortPath(file)} cannot be read: ${reason}`])
  }
}
