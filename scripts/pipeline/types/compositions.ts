import { toDocuments } from '../../../server/description/documents.ts'
import { isObject, type JsonObject, toList, toObject } from '../../../server/description/json.ts'
import { editSchemas } from '../../../server/description/nodes.ts'
import { hasTypeKeyword, isEmptyObject } from './keywords.ts'

/** The keyword of a schema of any value but undefined, which `types.ts` prints. */
export const anyValue = 'x-any-value'

/**
 * Writes compositions so that openapi-typescript prints all that they say: what `allOf` and `anyOf` have beside
 * them, names that are required of a property of another part, and no parts that say nothing.
 */
export function writeCompositions(description: JsonObject): JsonObject {
  const documents = toDocuments(description)
  const follow = (part: unknown) => documents.followValue(part)

  return editSchemas(description, (schema) => {
    const declared = declareRequired(schema)
    const separated = separateParts(declared)
    return withoutEmptyParts(separated, follow)
  })
}

/** Declares the properties that a schema requires and does not declare itself; another part of it may do so. */
function declareRequired(schema: JsonObject): JsonObject {
  const properties = toObject(schema['properties'])
  const names = toList(schema['required']).map(String)
  const undeclared = names.filter((name) => !Object.hasOwn(properties, name))
  if (undeclared.length === 0) {
    return schema
  }

  const propertySchema = otherProperty(schema)
  const added = undeclared.map((name) => [name, propertySchema] as const)
  return { ...schema, properties: { ...properties, ...Object.fromEntries(added) } }
}

/** Returns the schema of a property that an object does not declare. */
function otherProperty({ patternProperties, additionalProperties }: JsonObject): JsonObject {
  if (!isObject(additionalProperties)) {
    return { [anyValue]: true }
  }
  const patterns = Object.values(toObject(patternProperties))
  return patterns.length === 0
    ? additionalProperties
    : { anyOf: [additionalProperties, ...patterns] }
}

/** The keywords that describe a schema as a whole, or that openapi-typescript adds to any composition. */
const ofWhole: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'nullable',
])

/**
 * Makes keywords parts of the composition that they are beside of: openapi-typescript takes them for another
 * alternative of `anyOf`, and asks for required properties in every part of `allOf`.
 */
function separateParts(schema: JsonObject): JsonObject {
  const { allOf, anyOf, oneOf, ...beside } = schema
  const { whole, part } = splitWhole(beside)
  const alternatives = [
    ...(anyOf === undefined ? [] : [{ anyOf }]),
    ...(oneOf === undefined ? [] : [{ oneOf }]),
  ]
  const keywordParts = hasTypeKeyword(part) && !isEmptyObject(part) ? [part] : []
  const parts = [...toList(allOf), ...keywordParts, ...alternatives]

  const isComposed = allOf !== undefined || alternatives.length > 0
  const isOneAlternative = alternatives.length === 1 && parts.length === 1
  if (!isComposed || isOneAlternative) {
    return schema
  }
  return { ...whole, allOf: parts }
}

/** Divides the keywords of a schema into those that describe it as a whole, and those of a part of it. */
function splitWhole(schema: JsonObject) {
  const isOfWhole = ([key]: readonly [string, unknown]) => ofWhole.has(key)
  const entries = Object.entries(schema)
  return {
    whole: Object.fromEntries(entries.filter(isOfWhole)),
    part: Object.fromEntries(entries.filter((entry) => !isOfWhole(entry))),
  }
}

/** Removes the parts of `allOf` that say nothing, of which openapi-typescript makes an object without properties. */
function withoutEmptyParts(schema: JsonObject, follow: (part: unknown) => JsonObject): JsonObject {
  const { allOf, ...whole } = schema
  if (!Array.isArray(allOf)) {
    return schema
  }

  const parts = allOf.filter((part) => {
    const followed = follow(part)
    return hasTypeKeyword(followed) && !isEmptyObject(followed)
  })
  if (parts.length > 0) {
    return { ...whole, allOf: parts }
  }

  const objects = allOf.map(follow).filter(isEmptyObject)
  const types = objects.map(({ type }) => type)
  const type = types.find((each) => each === 'object') ?? types[0]
  return type === undefined ? whole : { ...whole, type }
}
