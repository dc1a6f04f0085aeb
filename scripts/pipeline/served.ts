import type { Description } from '../../server/description/description.ts'
import {
  pathsOnOtherHosts,
  type UnservedOperations,
  unservedOperations,
} from '../../server/description/unserved.ts'

/**
 * Returns how many operations the service serves, and what it does not serve, with the reasons. `missing` has the
 * reasons of operations without a sample, by their names: they are not served before they have handlers.
 */
export function describeServed(
  description: Description,
  missing: UnservedOperations = new Map(),
): readonly string[] {
  const { length } = description.operations
  const isComplete = unservedOperations(description).size + missing.size === 0
  const summary = isComplete ? [`${length} of ${length} operations are served.`] : []
  return [...summary, ...describeUnserved(description, missing)]
}

/** Returns what the service does not serve, with the reasons and what to do; none if it serves all. */
export function describeUnserved(
  description: Description,
  missing: UnservedOperations = new Map(),
): readonly string[] {
  const lines = [...listUnserved(description, missing), ...listUnread(description)]
  const guide = 'What to do about each is in docs/your-own-api.md.'
  return lines.length === 0 ? [] : [...lines, guide]
}

/** Returns how many operations the service serves, and a line for each that it does not. */
function listUnserved(description: Description, missing: UnservedOperations): readonly string[] {
  const total = description.operations.length
  const unserved = [...unservedOperations(description), ...missing]
  if (unserved.length === 0) {
    return []
  }
  const count = `${total - unserved.length} of ${total} operations are served`
  const advice = 'the others stay in the contract, and their response is 501'
  const lines = unserved.map(([name, reason]) => `  ${name}: ${reason}`)
  return [`${count}; ${advice}:`, ...lines]
}

/** Returns the paths whose operations are on another host. */
function listUnread(description: Description): readonly string[] {
  const paths = pathsOnOtherHosts(description)
  if (paths.length === 0) {
    return []
  }
  const what = 'Paths that refer to another host are not read and not served; their response is 404'
  return [`${what}:`, ...paths.map((path) => `  ${path}`)]
}
