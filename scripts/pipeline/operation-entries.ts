import { isObject, type JsonObject, toList, toObject } from '../../server/description/json.ts'
import { dereference } from './description.ts'

/** The keys of a path item that hold operations. */
export const methods: readonly string[] = [
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
]

/** These, and the one that is new in OpenAPI 3.2; others are in `additionalOperations`. */
export const allMethods: readonly string[] = [...methods, 'query']

/** An operation of a description, with its path and method. */
export interface OperationEntry {
  /** Its operationId, or `GET /path` where it has none. */
  readonly name: string
  readonly path: string
  readonly method: string
  readonly pathItem: JsonObject
  readonly operation: JsonObject
}

/** Returns every operation of a bundled description, in its order. */
export function operationsOf(root: JsonObject): readonly OperationEntry[] {
  return Object.entries(toObject(root['paths'])).flatMap(([path, value]) => {
    const pathItem = dereference(root, value)
    return Object.entries(pathItem).flatMap(([method, operation]) => {
      if (!methods.includes(method) || !isObject(operation)) return []
      const name = String(operation['operationId'] ?? `${method.toUpperCase()} ${path}`)
      return [{ name, path, method, pathItem, operation }]
    })
  })
}

/** Returns the parameters of an operation, after those of its path item. */
export function parametersOf(
  root: JsonObject,
  { pathItem, operation }: OperationEntry,
): JsonObject[] {
  return [pathItem, operation]
    .flatMap(({ parameters }) => toList(parameters))
    .map((parameter) => dereference(root, parameter))
}
