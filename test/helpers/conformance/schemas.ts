import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { type Description, type Json, type JsonObject, toList, toObject } from './description.ts'

/** A JSON Schema without references and compositions at its top. */
export type Schema = JsonObject

/** Resolves the references and compositions of a schema. */
export type Flatten = (schema: Json | undefined) => Schema

type Merge = (one: Json | undefined, other: Json | undefined) => Json

const both: Merge = (one, other) => ({ allOf: [one ?? true, other ?? true] })
const higher: Merge = (one, other) => Math.max(Number(one), Number(other))
const lower: Merge = (one, other) => Math.min(Number(one), Number(other))
const either: Merge = (one, other) => one === true || other === true
const union: Merge = (one, other) => [...new Set([...toList(one), ...toList(other)])]
const common: Merge = (one, other) => toList(one).filter((value) => toList(other).includes(value))
const closer: Merge = (one, other) => (one === false || other === false ? false : both(one, other))

/** What two schemas that both hold say together, by keyword. */
const merges: Readonly<Record<string, Merge>> = {
  type: (one, other) => common(widened(one), widened(other)),
  enum: common,
  required: union,
  uniqueItems: either,
  readOnly: either,
  items: both,
  additionalProperties: closer,
  unevaluatedProperties: closer,
  properties: (one, other) => mergeMembers(toObject(one), toObject(other), both),
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
}

// They say what a value means, and accept every value.
const annotations =
  /^(?:title|description|summary|examples?|default|deprecated|contentMediaType|\$comment|x-.*)$/

/** Makes the function that resolves the schemas of a description. */
export function createFlatten({ locate }: Description): Flatten {
  return function flatten(schema): Schema {
    const { $ref, allOf, ...own } = toObject(schema)
    const plain = Object.entries(own).filter(([keyword]) => !annotations.test(keyword))
    const parts = [...toList(allOf).map(flatten), Object.fromEntries(plain)]
    if (typeof $ref === 'string') {
      const names = $ref.slice('#/'.length).split('/')
      const target = locate(names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')))
      if (target === undefined) throw new Error(`${$ref} leads nowhere.`)
      parts.push(flatten(target.node))
    }
    return parts.reduce((one, other) => mergeMembers(one, other, mergeKeyword), {})
  }
}

/** Makes the function that validates values by the schemas of a description, with Ajv. */
export function createIsValid({ root }: Description) {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false })
  ajv.addFormat('int64', true)
  ajv.addFormat('int32', { type: 'number', validate: (value) => value === (value | 0) })
  for (const [name, { isOne }] of Object.entries(formats)) ajv.addFormat(name, isOne)
  ajv.addSchema(root, 'description')
  const compiled = new Map<Json | undefined, ReturnType<typeof compile>>()

  function compile(schema: Json | undefined) {
    const text = JSON.stringify(schema ?? true)
    return ajv.compile(JSON.parse(text.replaceAll('"$ref":"#', '"$ref":"description#')))
  }

  return (schema: Json | undefined, value: Json): boolean => {
    const validate = compiled.get(schema) ?? compile(schema)
    compiled.set(schema, validate)
    return validate(value) === true
  }
}

/** The types that a schema allows. */
export function typesOf({ type }: Schema): string[] {
  if (type === undefined) return ['null', 'boolean', 'number', 'string', 'array', 'object']
  return toList(typeof type === 'string' ? [type] : type).map(String)
}

/** Whether an object may have no other fields than those that are described. */
export function isClosed({ additionalProperties, unevaluatedProperties }: Schema): boolean {
  return additionalProperties === false || unevaluatedProperties === false
}

/** The schemas that a schema offers, each with what holds for all of them. */
export function variantsOf({ oneOf, anyOf, discriminator: _, ...shared }: Schema): Schema[] {
  if (oneOf !== undefined && anyOf !== undefined) throw new Error('oneOf and anyOf stand together.')
  return toList(oneOf ?? anyOf).map((one) => ({ allOf: [shared, one] }))
}

/** The names of the fields of a schema, in any of the forms that it offers. */
export function fieldNamesOf(flatten: Flatten, schema: Json | undefined): string[] {
  const flat = flatten(schema)
  const forms = [flat, ...variantsOf(flat).map(flatten)]
  return [...new Set(forms.flatMap((form) => Object.keys(toObject(form['properties']))))]
}

/** Keeps the values that are of use; throws where a generator makes none, instead of trying forever. */
export function kept<Value>(
  values: fc.Arbitrary<Value>,
  isKept: (value: Value) => boolean,
  what: string,
): fc.Arbitrary<Value> {
  let misses = 0
  return values.filter((value) => {
    misses = isKept(value) ? 0 : misses + 1
    if (misses > 10_000) throw new Error(`The generator of ${what} makes nothing of use.`)
    return misses === 0
  })
}

/** Any character but a lone surrogate; fast-check's own unit takes seconds to make. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800))

const instants = fc.date({
  min: new Date('1970-01-01T00:00:00Z'),
  max: new Date('2100-01-01T00:00:00Z'),
  noInvalidDate: true,
})

interface Format {
  readonly values: fc.Arbitrary<string>
  readonly isOne: (text: string) => boolean
}

/** The formats of strings that values can be made of. */
export const formats: Readonly<Record<string, Format>> = {
  date: {
    values: instants.map((date) => date.toISOString().slice(0, 'yyyy-mm-dd'.length)),
    isOne: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
  },
  'date-time': {
    values: instants.map((date) => date.toISOString()),
    isOne: (text) => /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(text),
  },
  uuid: {
    values: fc.uuid(),
    isOne: (text) => /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(text),
  },
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
  throw new Error(`Two schemas that hold together differ in ${keyword}.`)
}

function widened(type: Json | undefined): Json {
  const types = typeof type === 'string' ? [type] : toList(type)
  return types.includes('number') ? [...types, 'integer'] : types
}
