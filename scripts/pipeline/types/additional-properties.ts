import { isObject, type JsonObject, toObject } from '../../../server/description/json.ts'

/**
 * Allows the types of the declared properties in the others, too: in TypeScript, the type of an index
 * signature has to include those of all properties.
 */
export function widenAdditionalProperties(schema: JsonObject): JsonObject {
  const { properties, patternProperties, additionalProperties } = schema
  const declared = Object.values(toObject(properties))
  const patterns = Object.values(toObject(patternProperties))
  const others = isObject(additionalProperties) ? [additionalProperties] : []
  if (declared.length === 0 || patterns.length + others.length === 0) {
    return schema
  }
  return { ...schema, additionalProperties: { anyOf: [...others, ...declared] } }
}
