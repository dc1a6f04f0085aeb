import { readFile } from 'node:fs/promises'
import type { Description, Operation } from '../../server/description/description.ts'
import { readBundled } from '../../server/description/description-reader.ts'
import { idOf } from '../../server/description/operations.ts'
import {
  servedOperations,
  type UnservedOperations,
  unservedOperations,
} from '../../server/description/unserved.ts'
import { findMissingSamples } from '../../server/mock/missing-samples.ts'
import { projectPath } from '../pipeline/project.ts'

/**
 * Returns a line for each operation with neither a handler nor a sample, below their number. Whether an operation
 * has a handler is decided by the text of `server/api/handlers.ts`. `json` is the compiled description.
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
  const missing = missingSamples(description, operations)
  if (missing.size === 0) {
    return []
  }
  const served = description.operations.length - unservedOperations(description).size - missing.size
  const count = `${served} of ${description.operations.length} operations are served`
  const lines = Array.from(missing, ([name, reason]) => `  ${name}: ${reason}`)
  return [`${count}; until these have a handler, their response is 501:`, ...lines]
}

/** Returns the operations, of some, whose response has no sample, with the reasons, by names such as `GET /orders`. */
export function missingSamples(
  description: Description,
  operations: readonly Operation[],
): UnservedOperations {
  const missing = findMissingSamples(description, operations)
  return new Map(
    missing.map(({ operation, reason }) => {
      return [operation.name, `it has no sample, and needs a handler: ${reason}`] as const
    }),
  )
}
