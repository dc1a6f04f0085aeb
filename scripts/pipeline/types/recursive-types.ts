import { isObject, type JsonObject, toList, toObject } from '../../../server/description/json.ts'
import { componentName, componentSchemas } from '../../../server/description/nodes.ts'
import { reachedFrom } from './reached-names.ts'

/**
 * Returns the names of the schemas that contain themselves other than in a property, such as a list of such
 * lists: TypeScript allows that in a type alias alone.
 */
export function findRecursive(description: JsonObject): ReadonlySet<string> {
  const schemas = componentSchemas(description)
  const next = (name: string) => namesOf(toObject(schemas[name]))
  const recursive = Object.keys(schemas).filter((name) => reachedFrom([name], next).has(name))
  return new Set(recursive)
}

/** Returns the names of the schemas that a schema has as itself, or as its items. */
function namesOf(schema: JsonObject): readonly string[] {
  const name = componentName(schema)
  if (name !== undefined) {
    return [name]
  }

  const { allOf, anyOf, oneOf, items, prefixItems } = schema
  const lists = [allOf, anyOf, oneOf, prefixItems, [items]]
  const parts = lists.flatMap(toList).filter(isObject)
  return parts.flatMap((part) => namesOf(part))
}
