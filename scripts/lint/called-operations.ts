import { isOnOtherHost } from '../../server/description/documents.ts'
import { childrenOf } from '../../server/description/fields.ts'
import { isObject, type JsonObject, toObject } from '../../server/description/json.ts'
import type { Located } from '../../server/description/location.ts'
import { operationEntries } from '../../server/description/operations.ts'

/** Returns the target of a reference, or the value itself where it is no reference. */
export type Follow = (node: Located) => Located

/** An operation that clients may call, with its path item. */
export interface CalledOperation {
  /** Such as `GET /orders`. */
  readonly name: string
  readonly pathItem: Located
  readonly node: Located
  readonly operation: JsonObject
}

/** Returns the operations that clients may call; those of callbacks and webhooks are the clients' own. */
export function* operationsIn(
  root: JsonObject,
  file: string,
  follow: Follow,
): Generator<CalledOperation> {
  const paths = childrenOf({ file, pointer: '#', value: root }, 'paths')
  for (const path of paths.filter((each) => !isOnOtherHost(each))) {
    const pathItem = follow(path)
    for (const node of operationEntries(pathItem)) {
      if (isObject(node.value)) {
        yield { name: `${node.key} ${path.key}`, pathItem, node, operation: node.value }
      }
    }
  }
}

/** Returns whether an operation, or its path, has the parameter `Idempotency-Key`. */
export function hasIdempotencyKey({ pathItem, node }: CalledOperation, follow: Follow): boolean {
  const parameters = [pathItem, node].flatMap((holder) => childrenOf(holder, 'parameters'))
  return parameters.some((parameter) => {
    const { name, in: location } = toObject(follow(parameter).value)
    return location === 'header' && String(name).toLowerCase() === 'idempotency-key'
  })
}
