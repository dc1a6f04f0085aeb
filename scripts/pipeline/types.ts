import { createRequire } from 'node:module'
import openapiTS, { astToString, type OpenAPITSOptions } from 'openapi-typescript'
import { factory, SyntaxKind, type TypeNode } from 'typescript'
import { toDocuments } from '../../server/description/documents.ts'
import { isObject, type JsonObject, toObject } from '../../server/description/json.ts'
import { DescriptionError } from './failure.ts'

type Redocly = NonNullable<OpenAPITSOptions['redocly']>

// openapi-typescript lints what it is given with the core that it brings, which is older than ours; an
// empty configuration of that core has no rules.
const core: { createConfig(raw: object, options: object): Promise<Redocly> } = createRequire(
  import.meta.resolve('openapi-typescript'),
)('@redocly/openapi-core')

/** Returns the TypeScript types of a bundled description. */
export async function printTypes(description: JsonObject): Promise<string> {
  const redocly = await core.createConfig({}, { extends: [] })
  // As text, because openapi-typescript changes what it is given.
  const compiling = openapiTS(adapt(description), {
    redocly,
    defaultNonNullable: false,
    silent: true,
    transform: toOpenType,
  })
  return compiling.then(astToString, (error: unknown) => {
    throw new DescriptionError([`openapi-typescript cannot compile the description: ${error}`])
  })
}

/**
 * Returns the type of a list of values that is not final: code has to handle values that it does not know,
 * and editors still propose those that it does. Undefined for other schemas.
 */
function toOpenType(schema: object): TypeNode | undefined {
  const { 'x-extensible-enum': values } = toObject(schema)
  if (!Array.isArray(values)) return undefined
  const known = values.map((value) =>
    factory.createLiteralTypeNode(
      value === null ? factory.createNull() : factory.createStringLiteral(String(value)),
    ),
  )
  const text = factory.createKeywordTypeNode(SyntaxKind.StringKeyword)
  const other = factory.createIntersectionTypeNode([text, factory.createTypeLiteralNode([])])
  return factory.createUnionTypeNode([...known, factory.createParenthesizedType(other)])
}

/** Returns the description as openapi-typescript reads it correctly. */
function adapt(description: JsonObject): string {
  const { pathItems: _, ...components } = toObject(description['components'])
  const documents = toDocuments(description)
  const usesDefs = JSON.stringify(description).includes('/$defs/')
  return JSON.stringify({ ...description, components }, (key, value) => {
    // It would fetch such an example.
    if (key === 'externalValue' && typeof value === 'string') return undefined
    // It would make every `$defs` a required property of the schema that holds it.
    if (key === '$defs' && !usesDefs) return undefined
    return isObject(value) && isInlined(value['$ref']) ? documents.followValue(value) : value
  })
}

// It makes every header that is a reference a required one, and declares the operations of a shared
// path item twice.
function isInlined($ref: unknown): boolean {
  return typeof $ref === 'string' && /^#\/components\/(headers|pathItems)\//.test($ref)
}
