import { dereference, type JsonObject, toList, toObject } from './description.ts'
import type { Json } from './literal.ts'

const places = ['path', 'query', 'header', 'cookie']

/** The parameters of an operation, by place and name, those of its path item included. */
export function readParameters(
  root: JsonObject,
  pathItem: JsonObject,
  operation: JsonObject,
): Json {
  const rows = new Map(places.map((place) => [place, new Map<string, Json>()]))
  for (const value of [...toList(pathItem['parameters']), ...toList(operation['parameters'])]) {
    const parameter = dereference(root, value)
    // An operation's parameter replaces the one of its path item with the same place and name.
    rows
      .get(String(parameter['in']))
      ?.set(String(parameter['name']), readParameter(root, parameter))
  }
  return Object.fromEntries([...rows].map(([place, byName]) => [place, Object.fromEntries(byName)]))
}

function readParameter(root: JsonObject, parameter: JsonObject): Json {
  const required = parameter['required'] === true || parameter['in'] === 'path'
  const [mediaType] = Object.keys(toObject(parameter['content']))
  // Such a parameter is one string on the wire, written in that media type, whatever its schema.
  if (mediaType !== undefined) return { required, mediaType }
  const schema = readSchema(root, parameter['schema'])
  return {
    required,
    ...pick(schema, 'type', isTypeName),
    ...pick(schema, 'format', isString),
    ...readItems(root, schema),
    ...pick(parameter, 'style', isString),
    ...pick(parameter, 'explode', isBoolean),
    ...pick(schema, 'default', isJson),
  }
}

function readItems(root: JsonObject, schema: JsonObject): { readonly [key: string]: Json } {
  const { type } = pick(readSchema(root, schema['items']), 'type', isTypeName)
  return type === undefined ? {} : { items: type }
}

/** A schema with its `$ref` followed and, where `allOf` has a single entry, that entry's keys. */
function readSchema(root: JsonObject, value: unknown): JsonObject {
  const schema = dereference(root, value)
  const [only, ...more] = toList(schema['allOf'])
  if (only === undefined || more.length > 0) return schema
  const { allOf: _, ...own } = schema
  return { ...readSchema(root, only), ...own }
}

function pick(node: JsonObject, key: string, isWanted: (value: unknown) => value is Json) {
  const value = node[key]
  const picked: { [key: string]: Json } = {}
  if (isWanted(value)) picked[key] = value
  return picked
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean'
}

function isTypeName(value: unknown): value is string | string[] {
  return isString(value) || (Array.isArray(value) && value.every(isString))
}

// Whatever a bundled description holds was read from JSON or YAML.
function isJson(value: unknown): value is Json {
  return value !== undefined
}
