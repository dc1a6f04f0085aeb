import { withoutIneffective } from './ineffective.ts'
import { type JsonObject, toList } from './json.ts'
import { convertDescription, editNodes, type NodeKind, ofSchemas } from './nodes.ts'

/**
 * Returns a bundled description in the form of OpenAPI 3.1, which the tools below read: that of OpenAPI 3.0 has
 * its schemas in JSON Schema 2020-12, and no keyword is left that cannot have an effect. The description that is
 * served, and the file on the disk, stay as they are.
 */
export function normalise(description: JsonObject): JsonObject {
  return withoutIneffective(toCurrent(description))
}

function toCurrent(description: JsonObject): JsonObject {
  const version = String(description['openapi'])
  if (!version.startsWith('3.0.')) {
    return hasFormerKeywords(description)
      ? convertDescription(description, (value, kind) =>
          editNodes(value, kind, ofSchemas(toCurrentKeywords)),
        )
      : description
  }

  const normalised = convertDescription(description, normaliseObject)
  return { ...normalised, openapi: '3.1.0' }
}

/** Returns an object of OpenAPI 3.0, with all below it, in the form of OpenAPI 3.1. */
export function normaliseObject(value: unknown, ofKind: NodeKind): unknown {
  return editNodes(value, ofKind, (node, kind) => {
    const effective = withoutIgnored(node, kind)
    return kind === 'schema' ? toCurrentSchema(effective) : effective
  })
}

/** Returns whether a description may have keywords of OpenAPI 3.0 by mistake, which mean there what they meant. */
function hasFormerKeywords(description: JsonObject): boolean {
  return /"(?:nullable|exclusiveM(?:in|ax)imum)":(?:true|false)/.test(JSON.stringify(description))
}

/** Returns a schema of OpenAPI 3.0, whose inner schemas are converted, in JSON Schema 2020-12. */
export function toCurrentSchema(schema: JsonObject): JsonObject {
  return toCurrentKeywords(listExample(schema))
}

function toCurrentKeywords(schema: JsonObject): JsonObject {
  const limited = limitKeywords.reduce(toExclusiveNumber, schema)
  const { nullable, ...otherKeywords } = limited
  return nullable === true ? allowNull(otherKeywords) : otherKeywords
}

/** The keywords that are kept beside a reference: many descriptions use them, although OpenAPI 3.0 ignores them. */
const keptBeside: ReadonlySet<string> = new Set(['$ref', 'description', 'nullable'])

/** Returns an object without what OpenAPI 3.0 ignores beside a reference. */
export function withoutIgnored(node: JsonObject, kind: NodeKind): JsonObject {
  // A path item may have a reference and keys of its own.
  if (typeof node['$ref'] !== 'string' || kind === 'pathItem') {
    return node
  }

  const kept = Object.entries(node).filter(([keyword]) => keptBeside.has(keyword))
  return Object.fromEntries(kept)
}

/** Makes the `example` of a schema a list of one. */
function listExample(schema: JsonObject): JsonObject {
  const { example, ...otherKeywords } = schema
  return example === undefined ? schema : { examples: [example], ...otherKeywords }
}

const limitKeywords = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const

/** Makes an exclusive limit a number: in OpenAPI 3.0 it is a flag beside the limit. */
function toExclusiveNumber(
  schema: JsonObject,
  [limit, exclusive]: (typeof limitKeywords)[number],
): JsonObject {
  const { [limit]: bound, [exclusive]: isExclusive, ...otherKeywords } = schema
  if (typeof isExclusive !== 'boolean') {
    return schema
  }
  if (bound === undefined) {
    return otherKeywords
  }
  return isExclusive
    ? { ...otherKeywords, [exclusive]: bound }
    : { ...otherKeywords, [limit]: bound }
}

/** Keywords that combine schemas, beside which a type would not allow null. */
const combining = ['allOf', 'anyOf', 'oneOf', '$ref']

/** Returns whether a schema combines others. */
export function isCombining(schema: JsonObject): boolean {
  return combining.some((keyword) => keyword in schema)
}

/** Keywords that are about a schema as a whole. */
const annotations: ReadonlySet<string> = new Set([
  ...['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
])

/** Returns a schema that allows null, too. */
function allowNull(schema: JsonObject): JsonObject {
  if (!isCombining(schema)) {
    const { type, enum: values } = schema
    return {
      ...schema,
      ...(type !== undefined && { type: [...new Set([type, 'null'].flat())] }),
      ...(Array.isArray(values) && { enum: [...new Set([...toList(values), null])] }),
    }
  }

  const entries = Object.entries(schema)
  const whole = entries.filter(([keyword]) => annotations.has(keyword))
  const form = entries.filter(([keyword]) => !annotations.has(keyword))
  return { ...Object.fromEntries(whole), anyOf: [Object.fromEntries(form), { type: 'null' }] }
}
