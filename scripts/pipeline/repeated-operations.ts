import type { Description, Operation } from '../../server/description/description.ts'
import { toPointer } from '../../server/description/pointer.ts'
import { DescriptionError } from './failure.ts'
import { Sources } from './sources.ts'

/** An operation, and the keys that lead to its path item. */
interface Place {
  readonly operation: Operation
  readonly keys: readonly string[]
}

/**
 * Throws the operationIds that several operations have. The linter reads a path item that two paths refer to
 * once, and does not see that its operations are those of both.
 */
export function rejectRepeatedOperations(spec: string, description: Description): void {
  const places = [
    ...toPlaces('paths', description.operations),
    ...toPlaces('webhooks', description.webhooks),
  ]
  const byId = Map.groupBy(places, ({ operation }) => operation.operationId)
  // Operations without an operationId have names of their own.
  byId.delete(undefined)
  const repeated = [...byId.values()].filter((group) => group.length > 1)
  if (repeated.length === 0) {
    return
  }

  const sources = new Sources(spec)
  throw new DescriptionError(repeated.flatMap((group) => describeRepeated(group, sources)))
}

function toPlaces(key: string, operations: readonly Operation[]): readonly Place[] {
  return operations.map((operation) => ({ operation, keys: [key, operation.path] }))
}

/** Returns a line for each operation but the first. */
function describeRepeated(places: readonly Place[], sources: Sources): readonly string[] {
  const located = places.map(({ operation, keys }) => {
    return { ...operation, line: sources.locationOf(sources.file, toPointer(keys)) }
  })
  const [first, ...others] = located
  const advice = 'write a path item with an operationId of its own for each path'
  return others.map(({ line, name, operationId }) => {
    const reason = `${name} has the operationId ${operationId} of ${first?.name} (${first?.line})`
    return `${line} operation-operationId-unique ${reason}; ${advice}.`
  })
}
