import { methods } from './operation-places.ts'

/** The types that a keyword applies to; an empty list stands for all of them. */
export type AboutTypes = readonly string[]

const all: AboutTypes = []
const texts = ['string']
const numbers = ['number', 'integer']
const lists = ['array']
const objects = ['object']

/** The schema keywords that the service enforces or documents, with the types that they apply to. */
export const schemaKeywords: Readonly<Record<string, AboutTypes>> = {
  ...about(texts, ['minLength', 'maxLength', 'pattern']),
  ...about([...texts, ...numbers], ['format']),
  ...about(numbers, ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']),
  ...about(lists, ['items', 'prefixItems', 'contains', 'minContains', 'maxContains']),
  ...about(lists, ['minItems', 'maxItems', 'uniqueItems', 'unevaluatedItems']),
  ...about(objects, ['properties', 'patternProperties', 'propertyNames', 'additionalProperties']),
  ...about(objects, ['unevaluatedProperties', 'required', 'minProperties', 'maxProperties']),
  ...about(objects, ['dependentRequired', 'dependentSchemas', 'discriminator']),
  ...about(all, ['type', 'enum', 'const', 'default', 'readOnly', 'writeOnly']),
  ...about(all, ['$ref', '$defs', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else']),
  ...about(all, ['title', 'description', 'example', 'examples', 'deprecated', 'externalDocs']),
  ...about(all, ['$comment']),
}

const described = ['summary', 'description']
const shown = ['example', 'examples']

/** The other keywords that the service implements, by the type of the object, as Redocly names it. */
export const objectKeywords: Readonly<Record<string, readonly string[]>> = {
  Root: ['openapi', 'info', 'servers', 'security', 'tags', 'externalDocs', 'paths', 'components'],
  Components: [
    ...['schemas', 'responses', 'parameters', 'examples', 'requestBodies', 'headers'],
    ...['securitySchemes', 'pathItems'],
  ],
  PathItem: [...described, 'parameters', ...methods],
  Operation: [
    ...[...described, 'operationId', 'tags', 'externalDocs', 'deprecated', 'security'],
    ...['parameters', 'requestBody', 'responses'],
  ],
  Parameter: [
    ...['name', 'in', 'description', 'required', 'deprecated', 'style', 'explode'],
    ...['schema', 'content', ...shown],
  ],
  RequestBody: ['description', 'required', 'content'],
  Response: ['description', 'headers', 'content'],
  Header: ['description', 'required', 'deprecated', 'schema', ...shown],
  MediaType: ['schema', ...shown],
  Example: [...described, 'value'],
}

/** The styles of parameters that the service reads, by where the parameter is. */
export const parameterStyles: Readonly<Record<string, readonly string[]>> = {
  path: ['simple'],
  header: ['simple'],
  cookie: ['form'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
}

function about(types: AboutTypes, keywords: readonly string[]): Record<string, AboutTypes> {
  return Object.fromEntries(keywords.map((keyword) => [keyword, types]))
}
