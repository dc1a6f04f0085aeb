import type { BoundName, JsonType, LimitName } from './schema.ts'

const numbers: readonly JsonType[] = ['integer', 'fraction']

/** The types to which keywords apply; values of other types match them. */
export const typesOfBounds: Readonly<Record<BoundName, readonly JsonType[]>> = {
  minimum: numbers,
  maximum: numbers,
  minLength: ['string'],
  maxLength: ['string'],
  minItems: ['array'],
  maxItems: ['array'],
  minProperties: ['object'],
  maxProperties: ['object'],
}

export const typesOfLimits: Readonly<Record<LimitName, readonly JsonType[]>> = {
  pattern: ['string'],
  format: ['string', ...numbers],
  multipleOf: numbers,
  contentEncoding: ['string'],
  contentMediaType: ['string'],
}

export const textKeys = ['title', 'description', 'summary', 'externalDocs', '$comment']
export const exampleKeys = ['example', 'examples']

/** The keywords of a schema that `Schema` has a place for; any other one is kept as it is. */
export const knownKeywords = new Set([
  ...['$ref', '$defs', 'definitions', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'],
  // What names a schema alone has no effect here: references are followed by their pointers.
  ...['$schema', '$id', '$anchor'],
  ...['type', 'enum', 'const', 'x-extensible-enum', 'discriminator'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
  ...['pattern', 'format', 'multipleOf', 'contentEncoding', 'contentMediaType', 'uniqueItems'],
  ...['required', 'properties', 'patternProperties', 'additionalProperties', 'propertyNames'],
  ...['dependentRequired', 'dependentSchemas', 'unevaluatedProperties'],
  ...['prefixItems', 'items', 'contains', 'minContains', 'maxContains', 'unevaluatedItems'],
  ...['default', 'readOnly', 'writeOnly', 'deprecated', 'x-sunset'],
  ...textKeys,
  ...exampleKeys,
])
