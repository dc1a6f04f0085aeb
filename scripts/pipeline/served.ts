import type { Description } from '../../server/description/description.ts'
import { pathsOnOtherHosts, unservedOperations } from '../../server/description/unserved.ts'

/** Returns how many operations the service serves, and a line for each that it does not serve, with the reason. */
export function describeServed(description: Description): readonly string[] {
  const all = description.operations.length
  const unserved = unservedOperations(description)
  const count = `${all - unserved.size} of ${all} operations are served`
  const unread = pathsOnOtherHosts(description).map((path) => {
    return `${path} is on another host, which is not read; copy it into a file of the description`
  })
  if (unserved.size === 0) {
    return [`${count}.`, ...unread]
  }

  const lines = Array.from(unserved, ([name, reason]) => `  ${name}: ${reason}`)
  const advice = 'The others stay in the contract, and their response is 501:'
  return [`${count}. ${advice}`, ...lines, ...unread]
}
