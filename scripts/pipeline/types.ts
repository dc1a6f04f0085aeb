import {
  astToString,
  type GlobalContext,
  type OpenAPI3,
  resolveRef,
  type SchemaObject,
  transformSchema,
  transformSchemaObject,
} from 'openapi-typescript'
import { factory, type Node, SyntaxKind, type TypeNode } from 'typescript'
import { isObject, type JsonObject, toList, toObject } from '../../server/description/json.ts'
import { DescriptionError } from './failure.ts'
import { anyValue } from './types/compositions.ts'
import { aliasSchemas } from './types/recursive-aliases.ts'
import { findRecursive } from './types/recursive-types.ts'

type TransformOptions = Parameters<NonNullable<GlobalContext['transform']>>[1]

/** Returns the TypeScript types of a description that was made by `toTypedDescription`. */
export function printTypes(description: JsonObject): string {
  return astToString(aliasSchemas(transform(description), findRecursive(description)))
}

/**
 * Calls openapi-typescript without what it does before, because the description is bundled and linted: the
 * core of Redocly that it brings cannot read a property that is called `valueOf`.
 */
function transform(description: JsonObject): Node[] {
  // The description has been linted.
  const document = description as unknown as OpenAPI3
  try {
    return transformSchema(document, createContext(document))
  } catch (error) {
    const place = error instanceof URIError ? encodedPaths(description) : ''
    throw new DescriptionError([
      `openapi-typescript cannot compile the description: ${error}${place}`,
    ])
  }
}

/** Returns the paths with percent-encoded characters, which it decodes more than once. */
function encodedPaths({ paths }: JsonObject): string {
  const encoded = Object.keys(toObject(paths)).filter((path) => path.includes('%'))
  return ` in the path ${encoded.join(' or ')}`
}

function createContext(document: OpenAPI3): GlobalContext {
  const context: Omit<GlobalContext, 'redoc'> = {
    additionalProperties: false,
    alphabetize: false,
    arrayLength: false,
    conditionalEnums: false,
    dedupeEnums: false,
    defaultNonNullable: false,
    // `toTypedDescription` has written them into the forms.
    discriminators: { objects: {}, refsHandled: [] },
    emptyObjectsUnknown: true,
    enum: false,
    enumValues: false,
    excludeDeprecated: false,
    exportType: false,
    generatePathParams: false,
    immutable: false,
    injectFooter: [],
    makePathsEnum: false,
    pathParamsAsTypes: false,
    postTransform: undefined,
    propertiesRequiredByDefault: false,
    readWriteMarkers: false,
    rootTypes: false,
    rootTypesKeepCasing: false,
    rootTypesNoSchemaPrefix: false,
    silent: true,
    transform: (schema, options) => toType(toObject(schema), options),
    transformProperty: undefined,
    resolve: ($ref) => resolveRef(document, $ref, { silent: true }),
  }
  // The configuration of its linter, which this does not call.
  return context as GlobalContext
}

/** Returns the type of a schema that openapi-typescript does not read; undefined for other schemas. */
function toType(schema: JsonObject, options: TransformOptions): TypeNode | undefined {
  if (schema[anyValue] === true) {
    return anyValueType()
  }
  if (Array.isArray(schema['x-extensible-enum'])) {
    return toOpenType(schema['x-extensible-enum'])
  }
  if (schema['type'] === 'array' && Array.isArray(schema['prefixItems'])) {
    return toTuple(schema, options)
  }
  return isClosedAndEmpty(schema) ? emptyObjectType() : undefined
}

/**
 * Returns the type of a list of values that is not final: code has to handle values that it does not know,
 * and editors still propose those that it does.
 */
function toOpenType(values: readonly unknown[]): TypeNode {
  const known = values.map((value) =>
    factory.createLiteralTypeNode(
      value === null ? factory.createNull() : factory.createStringLiteral(String(value)),
    ),
  )
  const text = factory.createKeywordTypeNode(SyntaxKind.StringKeyword)
  const other = factory.createIntersectionTypeNode([text, factory.createTypeLiteralNode([])])
  return factory.createUnionTypeNode([...known, factory.createParenthesizedType(other)])
}

/** Returns `{} | null`, the type of every JSON value. */
function anyValueType(): TypeNode {
  const value = factory.createTypeLiteralNode([])
  return factory.createUnionTypeNode([value, factory.createLiteralTypeNode(factory.createNull())])
}

/**
 * Returns the type of a list with a schema for each of its first items: those after `minItems` are optional,
 * and others follow if `items` has a schema for them.
 */
function toTuple(schema: JsonObject, options: TransformOptions): TypeNode {
  const { prefixItems, items, minItems } = schema
  // The description has been linted.
  const toItem = (item: unknown) => transformSchemaObject(item as SchemaObject, options)
  const elements = toList(prefixItems).map((item, index) => {
    const isOptional = typeof minItems === 'number' && index >= minItems
    return isOptional ? factory.createOptionalTypeNode(toItem(item)) : toItem(item)
  })
  if (!isObject(items)) {
    return factory.createTupleTypeNode(elements)
  }

  const others = factory.createRestTypeNode(factory.createArrayTypeNode(toItem(items)))
  return factory.createTupleTypeNode([...elements, others])
}

/** Returns whether an object may have no members at all. */
function isClosedAndEmpty({
  type,
  properties,
  additionalProperties,
  ...others
}: JsonObject): boolean {
  if (type !== 'object' || additionalProperties !== false) {
    return false
  }
  const hasOthers = ['patternProperties', 'allOf', 'anyOf', 'oneOf'].some((key) => key in others)
  return Object.keys(toObject(properties)).length === 0 && !hasOthers
}

/** Returns `Record<string, never>`. */
function emptyObjectType(): TypeNode {
  const name = factory.createKeywordTypeNode(SyntaxKind.StringKeyword)
  const none = factory.createKeywordTypeNode(SyntaxKind.NeverKeyword)
  return factory.createTypeReferenceNode('Record', [name, none])
}
