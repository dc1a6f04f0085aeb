import type { JsonObject } from '../../../server/description/json.ts'

/** The keywords of a schema from which its type is printed. */
const typeKeywords = [
  'type',
  'enum',
  'const',
  'properties',
  'required',
  'patternProperties',
  'items',
  'prefixItems',
  'allOf',
  'anyOf',
  'oneOf',
  'nullable',
  'x-extensible-enum',
]

/** Returns whether a schema says anything about the type of a value. */
export function hasTypeKeyword(schema: JsonObject): boolean {
  return typeKeywords.some((keyword) => keyword in schema) || isOpen(schema)
}

/** Returns whether a schema says of an object that it may have other members, and which. */
function isOpen({ additionalProperties }: JsonObject): boolean {
  return additionalProperties !== undefined && additionalProperties !== false
}

/** Returns whether a schema says of a value that it is an object, or null, and nothing else. */
export function isEmptyObject(schema: JsonObject): boolean {
  const { type, ...otherKeywords } = schema
  const types = [type].flat()
  const isObjectOrNull = types.every((each) => each === 'object' || each === 'null')
  return types.includes('object') && isObjectOrNull && !hasTypeKeyword(otherKeywords)
}
