import type { JsonObject } from '../../../server/description/json.ts'
import { extensibleKey } from '../../lint/rules/extensible-enum.ts'

/**
 * Leaves `x-extensible-enum` alone to name the values of a schema: openapi-typescript prints an `enum` before
 * `types.ts` can print the type of a list that is not final, and calls it for schemas with a type alone.
 */
export function keepOpen(schema: JsonObject): JsonObject {
  const values = schema[extensibleKey]
  if (!Array.isArray(values)) {
    return schema
  }

  const { enum: _, ...otherKeywords } = schema
  return { type: 'string', ...otherKeywords }
}
