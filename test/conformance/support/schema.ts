import {
  createContractIndex,
  type Json,
  type JsonObject,
  toObject,
} from '../../support/traffic/contract-index.ts'

/** A JSON Schema in which nothing is referred to and nothing is composed, at its top. */
export type Schema = JsonObject

/** Looks through the references and compositions of a description's schemas. */
export type Flatten = (schema: Json | undefined) => Schema

type Merge = (one: Json | undefined, other: Json | undefined) => Json

const both: Merge = (one, other) => ({ allOf: [one ?? true, other ?? true] })
const higher: Merge = (one, other) => Math.max(Number(one), Number(other))
const lower: Merge = (one, other) => Math.min(Number(one), Number(other))
const either: Merge = (one, other) => one === true || other === true
const union: Merge = (one, other) => [...new Set([...listOf(one), ...listOf(other)])]
const common: Merge = (one, other) => listOf(one).filter((value) => listOf(other).includes(value))

/** What two schemas that both hold say together, keyword by keyword. */
const merges: Readonly<Record<string, Merge>> = {
  type: (one, other) => common(widened(one), widened(other)),
  enum: common,
  required: union,
  minimum: higher,
  exclusiveMinimum: higher,
  minLength: higher,
  minItems: higher,
  minProperties: higher,
  maximum: lower,
  exclusiveMaximum: lower,
  maxLength: lower,
  maxItems: lower,
  maxProperties: lower,
  uniqueItems: either,
  readOnly: either,
  items: both,
  additionalProperties: closer,
  unevaluatedProperties: closer,
  properties: (one, other) => mergeMembers(toObject(one), toObject(other), both),
}

// They say what a value means, and let every value pass.
const annotations =
  /^(?:title|description|summary|examples?|default|deprecated|contentMediaType|\$comment|x-.*)$/

/** Makes what looks through the schemas of one description. */
export function createFlatten(root: JsonObject): Flatten {
  const { locate } = createContractIndex(root)

  function flatten(schema: Json | undefined): Schema {
    const { $ref, allOf, ...own } = toObject(schema)
    const plain = Object.entries(own).filter(([keyword]) => !annotations.test(keyword))
    const parts = [...listOf(allOf).map(flatten), Object.fromEntries(plain)]
    if (typeof $ref === 'string') parts.push(flatten(target($ref)))
    return parts.reduce((one, other) => mergeMembers(one, other, mergeKeyword), {})
  }

  function target(reference: string): JsonObject {
    const found = locate(reference.slice('#/'.length).split('/').map(fromToken))
    if (found === undefined) throw new Error(`${reference} leads nowhere.`)
    return found.node
  }

  return flatten
}

/** The types that a schema allows. */
export function typesOf({ type }: Schema): string[] {
  if (type === undefined) return ['null', 'boolean', 'number', 'string', 'array', 'object']
  return listOf(typeof type === 'string' ? [type] : type).map(String)
}

/** Whether an object may have no other fields than those that are described. */
export function isClosed({ additionalProperties, unevaluatedProperties }: Schema): boolean {
  return additionalProperties === false || unevaluatedProperties === false
}

/** Whether anything is said of the fields of objects. */
export function saysOfFields(schema: Schema): boolean {
  const { properties, additionalProperties, minProperties, maxProperties } = schema
  const said = [properties, additionalProperties, minProperties, maxProperties]
  return isClosed(schema) || said.some((value) => value !== undefined)
}

export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

function fromToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~')
}

function mergeMembers(
  one: JsonObject,
  other: JsonObject,
  merge: (a: Json | undefined, b: Json | undefined, name: string) => Json,
): JsonObject {
  const added = Object.entries(other).map(([name, value]) => {
    const isNew = !Object.hasOwn(one, name)
    return [name, isNew ? value : merge(one[name], value, name)] as const
  })
  return { ...one, ...Object.fromEntries(added) }
}

function mergeKeyword(one: Json | undefined, other: Json | undefined, keyword: string): Json {
  const merge = merges[keyword]
  if (merge !== undefined) return merge(one, other)
  if (JSON.stringify(one) === JSON.stringify(other)) return other ?? null
  throw new Error(`Two schemas that are to hold together differ in ${keyword}.`)
}

function widened(type: Json | undefined): Json {
  const types = typeof type === 'string' ? [type] : listOf(type)
  return types.includes('number') ? [...types, 'integer'] : types
}

function closer(one: Json | undefined, other: Json | undefined): Json {
  return one === false || other === false ? false : both(one, other)
}
