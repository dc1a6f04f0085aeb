import { dereference, isObject, type JsonObject, toObject } from './description.ts'
import { DescriptionError } from './failure.ts'

/** The keys of a path item that hold operations. */
export const methods: readonly string[] = [
  ...['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'],
]

/** An operation, and where it stands in its description. */
export interface Place {
  /** Its operationId, or `GET /path` where it has none. */
  readonly name: string
  readonly path: string
  readonly method: string
  readonly pathItem: JsonObject
  readonly operation: JsonObject
}

/** Every operation of a bundled description, in its order; throws when two have one name. */
export function operationsOf(root: JsonObject): readonly Place[] {
  const places = new Map<string, Place>()
  for (const [path, value] of Object.entries(toObject(root['paths']))) {
    const pathItem = dereference(root, value)
    for (const [method, operation] of Object.entries(pathItem)) {
      if (!methods.includes(method) || !isObject(operation)) continue
      const name = String(operation['operationId'] ?? `${method.toUpperCase()} ${path}`)
      if (places.has(name)) {
        throw new DescriptionError([`operationId ${name} is used twice; name each operation once`])
      }
      places.set(name, { name, path, method, pathItem, operation })
    }
  }
  return [...places.values()]
}
