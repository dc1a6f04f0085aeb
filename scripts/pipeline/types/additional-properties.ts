import { isObject, type JsonObject, toObject } from '../../../server/description/json.ts'

/**
 * Allows the types of the declared properties in the others, too: in TypeScript, the type of an index
 * signature has to include those of all properties.
 */
export function widenAdditionalProperties(schema: JsonObject): JsonObject {
  const { properties, patternProperties, additionalProperties } = schema
  const declared = Object.values(toObject(properties))
  const patterns = Object.values(toObject(patternProperties))
  const additional = isObject(additionalProperties) ? [additionalProperties] : []
  const hasIndexSignature = patterns.length > 0 || additional.length > 0
  if (declared.length === 0 || !hasIndexSignature) {
    return schema
  }
  return { ...schema, additionalProperties: { anyOf: [...additional, ...declared] } }
}
