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
import { type JsonObject, toList, toObject } from '../../server/description/json.ts'
import { extensibleKey } from '../lint/rules/extensible-enum.ts'
import { DescriptionError } from './failure.ts'
import { anyValue } from './types/compositions.ts'
import { bytesKey, streamKey } from './types/content.ts'
import { joinQueries, separateQueries } from './types/query-operations.ts'
import { aliasSchemas } from './types/recursive-aliases.ts'
import { findRecursive } from './types/recursive-types.ts'

type TransformOptions = Parameters<NonNullable<GlobalContext['transform']>>[1]

/** Returns the TypeScript types of a description that was made by `toTypedDescription`. */
export function printTypes(description: JsonObject): string {
  const nodes = joinQueries(transform(separateQueries(description)))
  return astToString(aliasSchemas(nodes, findRecursive(description)))
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
  if (schema[bytesKey] === true) {
    return factory.createTypeReferenceNode('Blob')
  }
  if (schema[streamKey] === true) {
    const item = transformSchemaObject(schema['items'] as SchemaObject, options)
    return factory.createTypeReferenceNode('AsyncIterable', [item])
  }
  const values = schema[extensibleKey]
  if (Array.isArray(values)) {
    return toOpenType(values)
  }
  if (schema['type'] === 'array') {
    return toListType(schema, options)
  }
  return isClosedAndEmpty(schema) ? emptyObjectType() : undefined
}

/**
 * Returns the type of a list of values that is not final: code has to handle values that it does not know,
 * and editors still propose those that it does.
 */
function toOpenType(values: readonly unknown[]): TypeNode {
  const literals = values.map((value) => factory.createLiteralTypeNode(toLiteral(value)))
  const isNumeric = values.some((value) => typeof value === 'number')
  const keyword = isNumeric ? SyntaxKind.NumberKeyword : SyntaxKind.StringKeyword
  const other = factory.createIntersectionTypeNode([
    factory.createKeywordTypeNode(keyword),
    factory.createTypeLiteralNode([]),
  ])
  return factory.createUnionTypeNode([...literals, factory.createParenthesizedType(other)])
}

function toLiteral(value: unknown) {
  if (value === null) {
    return factory.createNull()
  }
  if (typeof value !== 'number') {
    return factory.createStringLiteral(String(value))
  }
  const digits = factory.createNumericLiteral(Math.abs(value))
  return value < 0 ? factory.createPrefixUnaryExpression(SyntaxKind.MinusToken, digits) : digits
}

/** Returns `{} | null`, the type of every JSON value. */
function anyValueType(): TypeNode {
  const value = factory.createTypeLiteralNode([])
  return factory.createUnionTypeNode([value, factory.createLiteralTypeNode(factory.createNull())])
}

/**
 * Returns the type of a list. A list with a schema for each of its first items is a tuple, in which the items
 * after `minItems` are optional. openapi-typescript reads neither, and some lists of lists as one list.
 */
function toListType(schema: JsonObject, options: TransformOptions): TypeNode {
  const { prefixItems, items = true } = schema
  // The description has been linted.
  const toItem = (item: unknown) => transformSchemaObject(item as SchemaObject, options)
  const listOfItems = factory.createArrayTypeNode(toItem(items))

  const minItems = Number(schema['minItems'] ?? 0)
  const maxItems = Number(schema['maxItems'] ?? Number.POSITIVE_INFINITY)
  const first = toList(prefixItems).slice(0, maxItems)
  if (first.length === 0) {
    return listOfItems
  }

  const elements = first.map((item, index) => {
    const isOptional = index >= minItems
    return isOptional ? factory.createOptionalTypeNode(toItem(item)) : toItem(item)
  })
  const isWhole = items === false || first.length >= maxItems
  const rest = isWhole ? [] : [factory.createRestTypeNode(listOfItems)]
  return factory.createTupleTypeNode([...elements, ...rest])
}

/** Returns whether an object may have no members at all. */
function isClosedAndEmpty({
  type,
  properties,
  additionalProperties,
  ...otherKeywords
}: JsonObject): boolean {
  if (type !== 'object' || additionalProperties !== false) {
    return false
  }
  const hasProperties = Object.keys(toObject(properties)).length > 0
  const memberKeywords = ['patternProperties', 'allOf', 'anyOf', 'oneOf']
  return !hasProperties && !memberKeywords.some((key) => key in otherKeywords)
}

/** Returns `Record<string, never>`. */
function emptyObjectType(): TypeNode {
  const name = factory.createKeywordTypeNode(SyntaxKind.StringKeyword)
  const none = factory.createKeywordTypeNode(SyntaxKind.NeverKeyword)
  return factory.createTypeReferenceNode('Record', [name, none])
}
