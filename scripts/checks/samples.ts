import { readFile } from 'node:fs/promises'
import type { Description, Operation } from '../../server/description/description.ts'
import { readBundled } from '../../server/description/description-reader.ts'
import { idOf, servedOperations } from '../../server/description/operations.ts'
import { findMissingSamples } from '../../server/mock/missing-samples.ts'
import { projectPath } from '../pipeline/project.ts'

/**
 * Returns a line for each operation without a handler whose response has no sample. Whether an operation has a
 * handler is decided by the text of `server/api/handlers.ts`. `json` is the compiled description.
 */
export async function checkSamples(json: string): Promise<readonly string[]> {
  const text = await readFile(projectPath('server/api/handlers.ts'), 'utf8').catch(() => '')
  const sampledOf = (line: string) => /^\s*['"]?([^\s'"]+)['"]?: sampled\b/.exec(line)?.[1]
  const names = new Set(text.split('\n').map(sampledOf))
  names.delete(undefined)
  if (names.size === 0) {
    return []
  }

  const description = readBundled(JSON.parse(json))
  const operations = servedOperations(description).filter((each) => names.has(idOf(each)))
  return listMissingSamples(description, operations)
}

/** Returns a line for each operation, of some, whose response has no sample. */
export function listMissingSamples(
  description: Description,
  operations: readonly Operation[],
): readonly string[] {
  return findMissingSamples(description, operations).map(
    ({ operation, reason }) => `${operation.name} has no sample, and needs a handler: ${reason}`,
  )
}
