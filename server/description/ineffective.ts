import { type Documents, toDocuments } from './documents.ts'
import { isObject, type JsonObject, toList, toObject } from './json.ts'
import type { Located } from './location.ts'
import { convertDescription, editNodes, ofSchemas } from './nodes.ts'
import { isPattern } from './pattern.ts'
import { findKeyword } from './schemas.ts'

/**
 * Returns a description without the keywords of its schemas that cannot have an effect: a pattern that is no
 * regular expression, and a default that its own schema rejects, which would make every request without the
 * value invalid. The linter warns of them.
 */
export function withoutIneffective(description: JsonObject): JsonObject {
  const documents = toDocuments(description)
  let isChanged = false

  const edit = (schema: JsonObject): JsonObject => {
    const kept = withoutInvalidDefault(withoutInvalidPatterns(schema), documents)
    if (kept !== schema) {
      isChanged = true
    }
    return kept
  }
  const edited = convertDescription(description, (value, kind) =>
    editNodes(value, kind, ofSchemas(edit)),
  )
  return isChanged ? edited : description
}

function withoutInvalidPatterns(schema: JsonObject): JsonObject {
  const { pattern, patternProperties, ...otherKeywords } = schema
  const hasInvalid = typeof pattern === 'string' && !isPattern(pattern)
  const entries = Object.entries(toObject(patternProperties))
  const valid = entries.filter(([name]) => isPattern(name))
  if (!hasInvalid && valid.length === entries.length) {
    return schema
  }
  return {
    ...otherKeywords,
    ...(pattern !== undefined && !hasInvalid && { pattern }),
    ...(valid.length > 0 && { patternProperties: Object.fromEntries(valid) }),
  }
}

function withoutInvalidDefault(schema: JsonObject, documents: Documents): JsonObject {
  if (schema['default'] === undefined) {
    return schema
  }
  const { default: value, ...otherKeywords } = schema
  const isKept = fitsSimply(value, { ...documents.root, value: schema }, documents)
  return isKept ? schema : otherKeywords
}

/** Returns whether a value fits the keywords of a schema and its parts that say most: its type, values and limits. */
function fitsSimply(value: unknown, schema: Located, documents: Documents): boolean {
  const read = (keyword: string) => findKeyword(schema, keyword, documents)?.value
  const types = toList([read('type') ?? []].flat())
  const hasType = types.length === 0 || types.some((type) => isOfType(value, type))
  const values = read('enum')
  const isListed = !Array.isArray(values) || isObject(value) || values.includes(value)
  return hasType && isListed && isInLimits(value, read)
}

const tests: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  string: (value) => typeof value === 'string',
  array: Array.isArray,
  object: isObject,
}

function isOfType(value: unknown, type: unknown): boolean {
  return tests[String(type)]?.(value) ?? true
}

function isInLimits(value: unknown, read: (keyword: string) => unknown): boolean {
  if (typeof value === 'number') {
    return isBetween(value, read('minimum'), read('maximum'))
  }
  if (typeof value === 'string') {
    return isBetween([...value].length, read('minLength'), read('maxLength'))
  }
  return !Array.isArray(value) || isBetween(value.length, read('minItems'), read('maxItems'))
}

function isBetween(size: number, least: unknown, most: unknown): boolean {
  const isEnough = typeof least !== 'number' || size >= least
  return isEnough && (typeof most !== 'number' || size <= most)
}
