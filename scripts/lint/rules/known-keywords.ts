import { type JsonObject, toList } from '../../../server/description/json.ts'
import { allMethods } from '../../../server/description/operations.ts'
import { readParts } from '../resolved.ts'
import type { Context, Rule } from '../rule.ts'

/** The types that a keyword applies to; an empty list means all of them. */
type AppliedTypes = readonly string[]

const allTypes: AppliedTypes = []
const texts = ['string']
const numbers = ['number', 'integer']
const lists = ['array']
const objects = ['object']

/** The schema keywords that the service enforces or documents, with the types that they apply to. */
const schemaKeywords: ReadonlyMap<string, AppliedTypes> = new Map([
  ...about(texts, ['minLength', 'maxLength', 'pattern', 'contentMediaType', 'contentSchema']),
  ...about([...texts, ...numbers], ['format']),
  ...about(numbers, ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']),
  ...about(lists, ['items', 'prefixItems', 'contains', 'minContains', 'maxContains']),
  ...about(lists, ['minItems', 'maxItems', 'uniqueItems', 'unevaluatedItems']),
  ...about(objects, ['properties', 'patternProperties', 'propertyNames', 'additionalProperties']),
  ...about(objects, ['unevaluatedProperties', 'required', 'minProperties', 'maxProperties']),
  ...about(objects, ['dependentRequired', 'dependentSchemas', 'discriminator']),
  ...about(allTypes, ['type', 'enum', 'const', 'default', 'readOnly', 'writeOnly']),
  ...about(allTypes, ['$ref', '$defs', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else']),
  ...about(allTypes, ['title', 'description', 'example', 'examples', 'deprecated', 'externalDocs']),
  ...about(allTypes, ['$comment']),
])

/** The schema keywords of OpenAPI 3.0 that later versions write in another way. */
const oldSchemaKeywords = ['nullable']

const textKeywords = ['summary', 'description']
const exampleKeywords = ['example', 'examples']

/** The other keywords that the service implements, by the type of the object, as Redocly names it. */
const objectKeywords: Readonly<Record<string, readonly string[]>> = {
  Root: [
    ...['openapi', '$self', 'info', 'servers', 'security', 'tags', 'externalDocs', 'paths'],
    ...['webhooks', 'components'],
  ],
  Components: [
    ...['schemas', 'responses', 'parameters', 'examples', 'requestBodies', 'headers'],
    ...['securitySchemes', 'pathItems', 'callbacks', 'mediaTypes'],
  ],
  PathItem: [...textKeywords, 'servers', 'parameters', ...allMethods],
  Operation: [
    ...[...textKeywords, 'operationId', 'tags', 'externalDocs', 'deprecated', 'security'],
    ...['servers', 'parameters', 'requestBody', 'responses', 'callbacks'],
  ],
  Parameter: [
    ...['name', 'in', 'description', 'required', 'deprecated', 'style', 'explode'],
    ...['allowReserved', 'allowEmptyValue', 'schema', 'content', ...exampleKeywords],
  ],
  RequestBody: ['description', 'required', 'content'],
  Response: [...textKeywords, 'headers', 'content'],
  Header: [
    'description',
    'required',
    'deprecated',
    'style',
    'explode',
    'schema',
    ...exampleKeywords,
  ],
  MediaType: ['schema', 'itemSchema', 'encoding', ...exampleKeywords],
  Encoding: ['contentType', 'style', 'explode', 'allowReserved'],
  Example: [...textKeywords, 'value', 'dataValue', 'serializedValue'],
  Discriminator: ['propertyName', 'mapping'],
}

function about(types: AppliedTypes, keywords: readonly string[]): [string, AppliedTypes][] {
  return keywords.map((keyword) => [keyword, types])
}

// Another type has a rule of its own.
const jsonTypes: readonly unknown[] = [
  ...['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'],
]

/** Rejects keywords that the service does not implement: they would promise what nothing does. */
export const knownKeywords: Rule = () => {
  const visitors = Object.entries(objectKeywords).map(([type, allowed]) => [
    type,
    (node: object, context: Context) => rejectOthers(node, allowed, context),
  ])

  return {
    ...Object.fromEntries(visitors),
    Schema(schema, context) {
      rejectOthers(schema, keywordsOf(context), context)
      rejectWithoutEffect(schema, context)
    },
  }
}

/** Rejects the keywords of a schema and its parts that apply to none of its types. */
function rejectWithoutEffect(schema: JsonObject, context: Context): void {
  const parts = readParts(schema, context)
  const types = parts.flatMap(({ node }) => toList([node['type'] ?? []].flat()))
  if (types.length === 0 || types.some((type) => !jsonTypes.includes(type))) {
    return
  }

  const hasEffect = (keyword: string) => {
    const appliedTypes = schemaKeywords.get(keyword) ?? allTypes
    return appliedTypes.length === 0 || types.some((type) => appliedTypes.includes(String(type)))
  }
  for (const { node, location } of parts) {
    for (const keyword of Object.keys(node)) {
      if (!hasEffect(keyword)) {
        const message = `${keyword} has no effect on type ${types.join(' or ')}; remove it, or change the type.`
        context.report({ message, location: location.child(keyword).key() })
      }
    }
  }
}

/** Returns the schema keywords that the service implements in the version of a description. */
function keywordsOf({ specVersion }: Context): readonly string[] {
  const keywords = [...schemaKeywords.keys()]
  return specVersion === 'oas3_0' ? [...keywords, ...oldSchemaKeywords] : keywords
}

/** Rejects the keywords of an object that are not among some; extensions are allowed. */
function rejectOthers(
  node: object,
  allowed: readonly string[],
  { type, location, report }: Context,
): void {
  for (const keyword of Object.keys(node)) {
    if (keyword === '$ref' || keyword.startsWith('x-') || allowed.includes(keyword)) {
      continue
    }

    const isKeyword = Object.hasOwn(type.properties, keyword)
    // What OpenAPI does not know either is reported by `struct`, but not beside a `$ref`.
    if (!isKeyword && !('$ref' in node)) {
      continue
    }

    const message = isKeyword
      ? `The service does not implement ${keyword} here; remove it.`
      : `Property \`${keyword}\` is not expected here.`
    report({ message, location: location.child(keyword).key() })
  }
}
