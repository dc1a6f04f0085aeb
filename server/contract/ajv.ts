import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import {
  type Description,
  isObject,
  type Json,
  type JsonObject,
  lookUp,
} from './description/description.ts'

/** Whether values are sent to the service or by it. */
export type Direction = 'request' | 'response'

/** Compiles schemas that may refer to those of a description as `description#/components/…`. */
export type CompileSchema = (schema: JsonObject | boolean) => ValidateFunction

/**
 * Returns a function that compiles schemas with Ajv, to functions that report all errors. Properties that are `readOnly` are rejected in
 * requests, those that are `writeOnly` in responses, and neither is required where it is rejected.
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
  ajv.addSchema(withoutRequired(description, keyword, description), 'description')
  return (schema) => ajv.compile(schema)
}

/** Removes the names of properties with a keyword from `required`, in every schema. */
function withoutRequired(node: Json, keyword: string, root: Description): Json & object
function withoutRequired(
  node: Json | undefined,
  keyword: string,
  root: Description,
): Json | undefined
function withoutRequired(node: Json | undefined, keyword: string, root: Description) {
  if (Array.isArray(node)) return node.map((item) => withoutRequired(item, keyword, root))
  if (!isObject(node)) return node
  const copy = Object.fromEntries(
    Object.entries(node).map(([name, child]) => [name, withoutRequired(child, keyword, root)]),
  )
  const { required, properties } = node
  if (!Array.isArray(required) || !isObject(properties)) return copy
  const isKept = (name: Json) => !hasKeyword(properties[String(name)], keyword, root)
  return { ...copy, required: required.filter(isKept) }
}

function hasKeyword(schema: Json | undefined, keyword: string, root: Description): boolean {
  if (!isObject(schema)) return false
  if (schema[keyword] === true) return true
  const { $ref } = schema
  if (typeof $ref !== 'string' || !$ref.startsWith('#/')) return false
  return hasKeyword(lookUp(root, $ref), keyword, root)
}
