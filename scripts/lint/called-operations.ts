import { isObject, type JsonObject, toList, toObject } from '../pipeline/description.ts'
import { methods } from '../pipeline/operation-entries.ts'

/** A value of a description, the file that holds it and, if a reference led to it, its JSON Pointer there. */
export interface Placed {
  readonly node: unknown
  readonly file: string
  readonly pointer?: string | undefined
}

/** Returns the target of a reference, or the value itself where it is no reference. */
export type Follow = (value: Placed) => Placed

/** An operation, with the path item and the file that hold it. */
export interface CalledOperation {
  readonly pathItem: Placed
  readonly operation: JsonObject
  readonly file: string
}

/** Returns the operations that clients may call; those of callbacks and webhooks are the clients' own. */
export function* operationsIn(
  root: JsonObject,
  file: string,
  follow: Follow,
): Generator<CalledOperation> {
  for (const node of Object.values(toObject(root['paths']))) {
    const pathItem = follow({ node, file })
    for (const [method, operation] of Object.entries(toObject(pathItem.node))) {
      if (!methods.includes(method) || !isObject(operation)) continue
      yield { pathItem, operation, file: pathItem.file }
    }
  }
}

/** Returns whether an operation, or its path, has the parameter `Idempotency-Key`. */
export function hasIdempotencyKey(called: CalledOperation, follow: Follow): boolean {
  const { pathItem, operation, file } = called
  return [pathItem, { node: operation, file }].some((declaring) =>
    toList(toObject(declaring.node)['parameters']).some((parameter) => {
      const { name, in: where } = toObject(follow({ node: parameter, file: declaring.file }).node)
      return where === 'header' && String(name).toLowerCase() === 'idempotency-key'
    }),
  )
}
