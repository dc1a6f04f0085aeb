import type { JsonObject } from '../../../server/description/json.ts'
import { hasTypeKeyword } from './keywords.ts'

/**
 * Writes a schema with a `$ref` and other keywords that have a type as `allOf`: openapi-typescript reads the
 * `$ref` alone.
 */
export function separateReference(schema: JsonObject): JsonObject {
  const { $ref, ...beside } = schema
  if (typeof $ref !== 'string' || !hasTypeKeyword(beside)) {
    return schema
  }
  return { allOf: [{ $ref }, beside] }
}
