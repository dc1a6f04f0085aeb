import type { Description, Operation } from '../../server/description/description.ts'
import { idOf, routedOperations } from '../../server/description/operations.ts'
import { toPointer } from '../../server/description/pointer.ts'
import { DescriptionError } from './failure.ts'
import { serviceFileName } from './service-file.ts'
import { Sources } from './sources.ts'

/**
 * Throws the operations that have the name of another one. File systems may ignore case, and a path item to
 * which two paths refer gives its operations to both.
 */
export function rejectRepeatedNames(spec: string, description: Description): void {
  const byName = Map.groupBy(routedOperations(description), (each) => idOf(each).toLowerCase())
  const repeated = [...byName.values()].filter((group) => group.length > 1)
  if (repeated.length === 0) {
    return
  }

  const sources = new Sources(spec)
  throw new DescriptionError(repeated.flatMap((group) => describeRepeated(group, sources)))
}

/** Returns a line for each operation but the first. */
function describeRepeated(operations: readonly Operation[], sources: Sources): readonly string[] {
  const [first, ...otherOperations] = operations
  if (first === undefined) {
    return []
  }

  const firstAt = locate(first, sources)
  return otherOperations.map((operation) => {
    const id = idOf(operation)
    const what = id === idOf(first) ? `the name ${id}` : `the name ${id}, but for its case,`
    return describe(operation, `has ${what} of ${first.name} (${firstAt})`, sources)
  })
}

/** Throws the operations whose names are no identifiers: a name is that of a handler, of a file and of a method. */
export function rejectUnusableNames(spec: string, description: Description): void {
  const unusable = routedOperations(description).filter((operation) => !isUsable(idOf(operation)))
  if (unusable.length === 0) {
    return
  }

  const sources = new Sources(spec)
  const lines = unusable.map((operation) => {
    const id = idOf(operation)
    const isNameless = id === operation.name
    const reason = isNameless
      ? 'has no operationId'
      : `has the name ${id}, which is not camelCase, such as listBooks, or one that the client has`
    return describe(operation, reason, sources)
  })
  throw new DescriptionError(lines)
}

/** Returns whether a name can be that of a handler, of a file and of a method of the client. */
export function isUsable(name: string): boolean {
  // The client has raw already, and with then it would be a promise.
  return /^[a-z][A-Za-z0-9]*$/.test(name) && name !== 'raw' && name !== 'then'
}

function describe(operation: Operation, reason: string, sources: Sources): string {
  const { name } = operation
  const advice = `name it in ${serviceFileName}, under operations, as ${name}: { name: … }`
  return `${locate(operation, sources)} operation-name ${name} ${reason}; ${advice}.`
}

function locate({ path }: Operation, sources: Sources): string {
  return sources.locationOf(sources.file, toPointer(['paths', path]))
}
