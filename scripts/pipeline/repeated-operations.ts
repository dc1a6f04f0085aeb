import type { Description, Operation } from '../../server/description/description.ts'
import { toPointer } from '../../server/description/pointer.ts'
import { DescriptionError } from './failure.ts'
import { Sources } from './sources.ts'

/** The names of an operation, and the pointer to its path item, which may be a reference. */
interface Place {
  readonly name: string
  readonly operationId: string | undefined
  readonly pointer: string
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
  const byId = Map.groupBy(places, ({ operationId }) => operationId)
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
  return operations.map(({ name, operationId, path }) => {
    return { name, operationId, pointer: toPointer([key, path]) }
  })
}

/** Returns a line for each operation but the first. */
function describeRepeated(places: readonly Place[], sources: Sources): readonly string[] {
  const located = places.map((place) => {
    return { ...place, at: sources.locationOf(sources.file, place.pointer) }
  })
  const [first, ...others] = located
  const advice = 'write a path item with an operationId of its own for each path'
  return others.map(({ at, name, operationId }) => {
    const reason = `${name} has the operationId ${operationId} of ${first?.name} (${first?.at})`
    return `${at} operation-operationId-unique ${reason}; ${advice}.`
  })
}
