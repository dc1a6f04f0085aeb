import type { Description } from '../../server/description/description.ts'
import { pathsOnOtherHosts, unservedOperations } from '../../server/description/unserved.ts'

/** Returns how many operations the service serves, and what it does not serve, with the reasons. */
export function describeServed(description: Description): readonly string[] {
  const { length } = description.operations
  const unserved = describeUnserved(description)
  return unserved.length === 0 ? [`${length} of ${length} operations are served.`] : unserved
}

/** Returns how many operations the service serves, and a line for each that it does not; none if it serves all. */
export function describeUnserved(description: Description): readonly string[] {
  const all = description.operations.length
  const unserved = unservedOperations(description)
  const lines = Array.from(unserved, ([name, reason]) => `  ${name}: ${reason}`)
  const unread = pathsOnOtherHosts(description).map((path) => {
    return `  ${path}: it is on another host, which is not read; copy it into a file of the description`
  })
  if (lines.length + unread.length === 0) {
    return []
  }
  const count = `${all - unserved.size} of ${all} operations are served`
  const advice = 'the others stay in the contract, and their response is 501'
  const guide = 'What to do about each is in docs/your-own-api.md.'
  return [`${count}; ${advice}:`, ...lines, ...unread, guide]
}
