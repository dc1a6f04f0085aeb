import type { JsonObject } from '../../../server/description/json.ts'

/** Adds the type of a schema that has items and no type: openapi-typescript reads items of arrays alone. */
export function addArrayType(schema: JsonObject): JsonObject {
  const hasItems = 'items' in schema || 'prefixItems' in schema
  return hasItems && schema['type'] === undefined ? { type: 'array', ...schema } : schema
}
