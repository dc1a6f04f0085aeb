import { childOf, childrenOf } from './fields.ts'
import { type JsonObject, toList, toObject, toText } from './json.ts'
import type { Located } from './location.ts'
import { partsOf, type References } from './schemas.ts'

/** What a schema says of a value, with the parts of its `allOf` and what they refer to taken together. */
export interface Shape {
  /** The types that the schema allows, or that its keywords are for, but `null`. */
  readonly types: readonly string[]
  readonly isNullable: boolean
  /** The only values that the schema allows, if it lists them. */
  readonly values: readonly unknown[] | undefined
  readonly properties: ReadonlyMap<string, Shape>
  readonly required: ReadonlySet<string>
  readonly items: Shape | undefined
  /** The example or the default of the schema; undefined if it has none. */
  readonly example: unknown
  /** The limits and the format, as the schema has them. */
  readonly keywords: JsonObject
}

/** A schema that leads back to itself is followed as deep as errors go. */
const maxDepth = 5

const limits = [
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'minItems',
  'maxItems',
  'additionalProperties',
]

/** Returns the shape of a schema. Of each list of forms (`oneOf` and `anyOf`), the one with the index is taken. */
export function readShape(
  schema: Located,
  documents: References,
  formIndex: number,
  depth = 0,
): Shape {
  const parts = partsWithForm(schema, documents, formIndex)
  const find = (keyword: string) =>
    parts.map(({ value }) => toObject(value)[keyword]).find((value) => value !== undefined)
  const read = (node: Located) => readShape(node, documents, formIndex, depth + 1)

  const isDeep = depth >= maxDepth
  const properties = isDeep ? [] : parts.flatMap((part) => childrenOf(part, 'properties'))
  const items = isDeep ? undefined : parts.find(({ value }) => 'items' in toObject(value))
  const required = parts.flatMap(({ value }) => toList(toObject(value)['required']))
  const types = [find('type')].flat().filter((type) => typeof type === 'string')

  return {
    types: types.length > 0 ? types.filter((type) => type !== 'null') : impliedTypes(parts),
    isNullable: types.includes('null') || find('nullable') === true,
    values: readValues(parts),
    properties: readProperties(properties, read),
    required: new Set(required.map(String)),
    items: items && read(childOf(items, 'items')),
    example: find('example') ?? toList(find('examples'))[0] ?? find('default'),
    keywords: Object.fromEntries(limits.map((keyword) => [keyword, find(keyword)])),
  }
}

/** Returns how many forms a schema has where it has most, as far as errors go. */
export function countForms(schema: Located, documents: References, depth = 0): number {
  const parts = partsOf(schema, documents)
  const forms = parts.flatMap((part) => [
    ...childrenOf(part, 'oneOf'),
    ...childrenOf(part, 'anyOf'),
  ])
  const members = parts.flatMap((part) => childrenOf(part, 'properties'))
  const items = parts.map((part) => childOf(part, 'items'))
  const nested = depth >= maxDepth ? [] : [...forms, ...members, ...items]
  const counts = nested.map((node) => countForms(node, documents, depth + 1))
  return Math.max(1, forms.length, ...counts)
}

function partsWithForm(
  schema: Located,
  documents: References,
  formIndex: number,
): readonly Located[] {
  const parts = partsOf(schema, documents)
  const forms = parts.flatMap((part) =>
    ['oneOf', 'anyOf'].flatMap((keyword) => {
      const listed = childrenOf(part, keyword).filter(({ value }) => !isNull(value))
      const chosen = listed[formIndex % Math.max(1, listed.length)]
      return chosen === undefined ? [] : partsOf(chosen, documents)
    }),
  )
  return [...parts, ...forms]
}

function isNull(schema: unknown): boolean {
  return toObject(schema)['type'] === 'null'
}

/** Returns the values that all parts with a list of them have in common; undefined if none has a list. */
function readValues(parts: readonly Located[]): readonly unknown[] | undefined {
  const lists = parts.flatMap(({ value }) => {
    const schema = toObject(value)
    const ofEnum = Array.isArray(schema['enum']) ? [toList(schema['enum'])] : []
    return 'const' in schema ? [[schema['const']], ...ofEnum] : ofEnum
  })
  const [first, ...otherLists] = lists
  return first?.filter((value) => otherLists.every((list) => list.includes(value)))
}

/** Returns the shapes of properties by name; one that several parts have is taken together. */
function readProperties(
  properties: readonly (Located & { readonly key: string })[],
  read: (node: Located) => Shape,
): ReadonlyMap<string, Shape> {
  const shapes = new Map<string, Shape>()
  for (const property of properties) {
    const earlier = shapes.get(property.key)
    const shape = read(property)
    shapes.set(property.key, earlier === undefined ? shape : narrow(earlier, shape))
  }
  return shapes
}

function narrow(one: Shape, other: Shape): Shape {
  const both = one.values?.filter((value) => other.values?.includes(value) ?? true)
  return {
    types: one.types.length > 0 ? one.types : other.types,
    isNullable: one.isNullable && other.isNullable,
    values: both ?? other.values,
    properties: new Map([...one.properties, ...other.properties]),
    required: new Set([...one.required, ...other.required]),
    items: one.items ?? other.items,
    example: other.example ?? one.example,
    keywords: { ...one.keywords, ...withoutUndefined(other.keywords) },
  }
}

function withoutUndefined(keywords: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(keywords).filter(([, value]) => value !== undefined))
}

/** Returns the type that a schema without `type` has keywords of. */
function impliedTypes(parts: readonly Located[]): readonly string[] {
  const schemas = parts.map(({ value }) => toObject(value))
  const has = (...names: readonly string[]) =>
    schemas.some((schema) => names.some((name) => name in schema))
  if (has('properties', 'required')) {
    return ['object']
  }
  if (has('items')) {
    return ['array']
  }
  return []
}

/** Returns a keyword that is a number. */
export function numberOf({ keywords }: Shape, name: string): number | undefined {
  const value = keywords[name]
  return typeof value === 'number' ? value : undefined
}

/** Returns a keyword that is a text. */
export function textOf({ keywords }: Shape, name: string): string | undefined {
  return toText(keywords[name])
}
