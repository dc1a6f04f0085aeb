import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type Description, isObject, type Json, type JsonObject, lookUp } from './description.ts'

/** Whether values are sent to the service or by it. */
export type Direction = 'request' | 'response'

/** Compiles schemas that may refer to those of a description as `description#/components/…`. */
export type CompileSchema = (schema: JsonObject | boolean) => ValidateFunction

/**
 * Returns a function that compiles schemas with Ajv; the compiled functions report all errors.
 * Properties that are `readOnly` are rejected in requests, those that are `writeOnly` in responses, and
 * neither is required where it is rejected.
 */
export function createCompiler(description: Description, direction: Direction): CompileSchema {
  const options = { strict: false, validateSchema: false, logger: false, allErrors: true } as const
  const ajv = new Ajv2020({ ...options, useDefaults: direction === 'request' })
  addFormats.default(ajv, { mode: 'fast' })
  ajv.addFormat('int32', { type: 'number', validate: (value) => (value | 0) === value })
  ajv.addFormat('int64', { type: 'number', validate: Number.isSafeInteger })
  const keyword = direction === 'request' ? 'readOnly' : 'writeOnly'
  ajv.removeKeyword(keyword)
  ajv.addKeyword({ keyword, schemaType: 'boolean', validate: (rejected: boolean) => !rejected })
  ajv.addSchema(Object(withoutRequired(description, keyword, description)), 'description')
  return (schema) => ajv.compile(schema)
}

/**
 * Returns a copy of a description in which no property with a keyword is required, or has a default.
 * `names` are such properties of a schema that this one is a part of.
 */
function withoutRequired(
  node: Json | undefined,
  keyword: string,
  root: Description,
  names: ReadonlySet<string> = new Set(),
): Json | undefined {
  if (Array.isArray(node)) {
    return node.map((item) => withoutRequired(item, keyword, root, names) ?? null)
  }
  if (!isObject(node)) return node
  const all = new Set([...names, ...namesWith(node, keyword, root)])
  const copy: Record<string, Json | undefined> = {}
  for (const [name, child] of Object.entries(node)) {
    copy[name] = withoutRequired(child, keyword, root, name === 'allOf' ? all : undefined)
  }
  const { required } = node
  if (Array.isArray(required)) {
    copy['required'] = required.filter((name) => typeof name !== 'string' || !all.has(name))
  }
  if (node[keyword] === true) delete copy['default']
  return copy
}

/** Returns the names of the properties with a keyword, in a schema and in its parts. */
function namesWith(schema: JsonObject, keyword: string, root: Description, depth = 0): string[] {
  const { $ref, allOf, properties } = schema
  // A schema may be part of itself.
  if (depth > 16) return []
  const referred = typeof $ref === 'string' ? lookUp(root, $ref) : undefined
  const parts = [...(Array.isArray(allOf) ? allOf : []), referred].filter(isObject)
  const own = isObject(properties) ? Object.entries(properties) : []
  return [
    ...own.flatMap(([name, property]) => (hasKeyword(property, keyword, root) ? [name] : [])),
    ...parts.flatMap((part) => namesWith(part, keyword, root, depth + 1)),
  ]
}

function hasKeyword(schema: Json | undefined, keyword: string, root: Description): boolean {
  if (!isObject(schema)) return false
  if (schema[keyword] === true) return true
  const { $ref } = schema
  if (typeof $ref !== 'string' || !$ref.startsWith('#/')) return false
  return hasKeyword(lookUp(root, $ref), keyword, root)
}
